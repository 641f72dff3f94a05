export interface ListOfSubtree {
  /** The schema of its `subtree_index`. */
  readonly schema: string;
  /** The columns by which the list is ordered, newest first. */
  readonly time: string;
  readonly id: string;
}

/**
 * SQL that a subtree list (`<schema>.subtree_index`) needs for large offsets. Migrations that have run used this text,
 * so do not change it: add another migration.
 */
export function listMarks({ schema, time, id }: ListOfSubtree): string {
  return `
  -- Every so many rows of a subtree's list its position, counted from the oldest: an offset, however deep, begins at
  -- the nearest mark. Marks are set in the background up to the horizon; whoever adds or removes a row at or before
  -- the horizon leaves a shift, which readers add to the marks and the background folds into them.
  create table ${schema}.list_marks (
    ancestor_id uuid        not null,
    position    bigint      not null,
    ${time} timestamptz not null,
    ${id} uuid        not null,
    primary key (ancestor_id, ${time}, ${id})
  );
  create index list_marks_position on ${schema}.list_marks (ancestor_id, position);

  create table ${schema}.list_shifts (
    ancestor_id uuid        not null,
    ${time} timestamptz not null,
    ${id} uuid        not null,
    shift       smallint    not null check (shift in (-1, 1))
  );
  create index list_shifts_ancestor on ${schema}.list_shifts (ancestor_id);

  create table ${schema}.list_horizon (
    only_row  boolean     primary key default true check (only_row),
    ${time} timestamptz not null
  );
  insert into ${schema}.list_horizon (${time}) values ('-infinity');

  create function ${schema}.note_list_shift() returns trigger language plpgsql as $$
  begin
    insert into ${schema}.list_shifts (ancestor_id, ${time}, ${id}, shift)
    select c.ancestor_id, c.${time}, c.${id}, case tg_op when 'INSERT' then 1 else -1 end
      from changed c where c.${time} <= (select h.${time} from ${schema}.list_horizon h);
    return null;
  end $$;
  create trigger note_added after insert on ${schema}.subtree_index
    referencing new table as changed for each statement execute function ${schema}.note_list_shift();
  create trigger note_removed after delete on ${schema}.subtree_index
    referencing old table as changed for each statement execute function ${schema}.note_list_shift();

  -- Where to begin for the rows after the newest 'skipped': the key at or below which they lie, and how many rows from
  -- there are still to be skipped. Stable: all of it is one moment, that of the calling query.
  create function ${schema}.list_start(ancestor uuid, skipped bigint,
      out ${time} timestamptz, out ${id} uuid, out remaining bigint)
    language plpgsql stable as $$
  declare
    last ${schema}.list_marks;
    mark ${schema}.list_marks;
    newer bigint;
    wanted bigint;
    uncertain bigint;
  begin
    ${time} := 'infinity';
    ${id} := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    remaining := skipped;
    select m.* into last from ${schema}.list_marks m
      where m.ancestor_id = ancestor order by m.${time} desc, m.${id} desc limit 1;
    if not found then return; end if;
    select count(*) into newer from ${schema}.subtree_index i
      where i.ancestor_id = ancestor and (i.${time}, i.${id}) > (last.${time}, last.${id});
    if skipped < newer then return; end if;
    select count(*) into uncertain from ${schema}.list_shifts s where s.ancestor_id = ancestor;
    -- The position, from the oldest, of the first row that is wanted.
    wanted := newer - skipped + last.position + coalesce((select sum(s.shift) from ${schema}.list_shifts s
      where s.ancestor_id = ancestor and (s.${time}, s.${id}) <= (last.${time}, last.${id})), 0);
    for mark in select m.* from ${schema}.list_marks m
        where m.ancestor_id = ancestor and m.position >= wanted - uncertain order by m.position loop
      remaining := mark.position - wanted + coalesce((select sum(s.shift) from ${schema}.list_shifts s
        where s.ancestor_id = ancestor and (s.${time}, s.${id}) <= (mark.${time}, mark.${id})), 0);
      ${time} := mark.${time};
      ${id} := mark.${id};
      exit when remaining >= 0;
    end loop;
  end $$;
`;
}
