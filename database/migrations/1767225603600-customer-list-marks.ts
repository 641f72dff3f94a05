import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As for the lists of licenses: a deep offset into the list of customers begins at the nearest mark. */
export class CustomerListMarks1767225603600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MARKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger note_added on customers.subtree_index;
      drop trigger note_removed on customers.subtree_index;
      drop function customers.note_list_shift;
      drop function customers.list_start;
      drop table customers.list_marks, customers.list_shifts, customers.list_horizon;
    `);
  }
}

const MARKS = `
  -- Every so many rows of a subtree's list its position, counted from the oldest: an offset, however deep, begins at
  -- the nearest mark. Marks are set in the background up to the horizon; whoever adds or removes a row at or before
  -- the horizon leaves a shift, which readers add to the marks and the background folds into them.
  create table customers.list_marks (
    ancestor_id uuid        not null,
    position    bigint      not null,
    created_at   timestamptz not null,
    customer_id  uuid        not null,
    primary key (ancestor_id, created_at, customer_id)
  );
  create index list_marks_position on customers.list_marks (ancestor_id, position);

  create table customers.list_shifts (
    ancestor_id uuid        not null,
    created_at   timestamptz not null,
    customer_id  uuid        not null,
    shift       smallint    not null check (shift in (-1, 1))
  );
  create index list_shifts_ancestor on customers.list_shifts (ancestor_id);

  create table customers.list_horizon (
    only_row  boolean     primary key default true check (only_row),
    created_at timestamptz not null
  );
  insert into customers.list_horizon (created_at) values ('-infinity');

  create function customers.note_list_shift() returns trigger language plpgsql as $$
  begin
    insert into customers.list_shifts (ancestor_id, created_at, customer_id, shift)
    select c.ancestor_id, c.created_at, c.customer_id, case tg_op when 'INSERT' then 1 else -1 end
      from changed c where c.created_at <= (select h.created_at from customers.list_horizon h);
    return null;
  end $$;
  create trigger note_added after insert on customers.subtree_index
    referencing new table as changed for each statement execute function customers.note_list_shift();
  create trigger note_removed after delete on customers.subtree_index
    referencing old table as changed for each statement execute function customers.note_list_shift();

  -- Where to begin for the rows after the newest 'skipped': the key at or below which they lie, and how many rows from
  -- there are still to be skipped. Stable: all of it is one moment, that of the calling query.
  create function customers.list_start(ancestor uuid, skipped bigint,
      out created_at timestamptz, out customer_id uuid, out remaining bigint)
    language plpgsql stable as $$
  declare
    last customers.list_marks;
    mark customers.list_marks;
    newer bigint;
    wanted bigint;
    uncertain bigint;
  begin
    created_at := 'infinity';
    customer_id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    remaining := skipped;
    select m.* into last from customers.list_marks m
      where m.ancestor_id = ancestor order by m.created_at desc, m.customer_id desc limit 1;
    if not found then return; end if;
    select count(*) into newer from customers.subtree_index i
      where i.ancestor_id = ancestor and (i.created_at, i.customer_id) > (last.created_at, last.customer_id);
    if skipped < newer then return; end if;
    select count(*) into uncertain from customers.list_shifts s where s.ancestor_id = ancestor;
    -- The position, from the oldest, of the first row that is wanted.
    wanted := newer - skipped + last.position + coalesce((select sum(s.shift) from customers.list_shifts s
      where s.ancestor_id = ancestor and (s.created_at, s.customer_id) <= (last.created_at, last.customer_id)), 0);
    for mark in select m.* from customers.list_marks m
        where m.ancestor_id = ancestor and m.position >= wanted - uncertain order by m.position loop
      remaining := mark.position - wanted + coalesce((select sum(s.shift) from customers.list_shifts s
        where s.ancestor_id = ancestor and (s.created_at, s.customer_id) <= (mark.created_at, mark.customer_id)), 0);
      created_at := mark.created_at;
      customer_id := mark.customer_id;
      exit when remaining >= 0;
    end loop;
  end $$;
`;
