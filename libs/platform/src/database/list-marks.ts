import { setTimeout as pause } from 'node:timers/promises';
import type { TypeOrmTransactions } from './transactions/typeorm-transactions.js';

const MAX_WAIT_MS = 60_000;
const PAUSE_MS = 50;

/** A list whose rows are in `<schema>.subtree_index`, ordered by `time` and `id`, with its tables of marks. */
export interface MarkedList {
  readonly schema: string;
  readonly time: string;
  readonly id: string;
  /** The advisory lock for building the marks. */
  readonly lock: number;
}

/**
 * Sets marks, so that a large offset does not count rows from the top. First the horizon moves, in its own transaction.
 * Once all transactions that may not have seen it have ended, every write at or before the horizon leaves a shift. From
 * then on, one snapshot contains matching rows and shifts: its shifts are folded into the marks, and new marks are
 * counted from its rows.
 */
export class ListMarkBuilder {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly list: MarkedList,
  ) {}

  /**
   * Adds rows up to `horizon` to the marks.
   * @param spacing rows between two marks
   */
  async extend(horizon: Date, spacing: number): Promise<void> {
    const { schema, time, lock: number } = this.list;
    await this.transactions.run(() =>
      this.transactions.writer.query(`update ${schema}.list_horizon set ${time} = greatest(${time}, $1::timestamptz)`, [
        horizon,
      ]),
    );
    if (!(await this.othersAreDone())) return;
    await this.transactions.run(async () => {
      const writer = this.transactions.writer;
      await writer.query('set transaction isolation level repeatable read');
      const [lock] = await writer.query<{ free: boolean }[]>('select pg_try_advisory_xact_lock($1) as free', [number]);
      if (!lock?.free) return;
      await writer.query(fold(this.list));
      await writer.query(`delete from ${schema}.list_shifts`);
      await writer.query(append(this.list), [spacing]);
    });
  }

  /** True once all transactions that were running have ended; false if that takes too long, to be retried next time. */
  private async othersAreDone(): Promise<boolean> {
    const reader = this.transactions.reader;
    const [start] = await reader.query<{ next: string }[]>('select pg_snapshot_xmax(pg_current_snapshot()) as next');
    for (let waited = 0; waited < MAX_WAIT_MS; waited += PAUSE_MS) {
      const [now] = await reader.query<{ done: boolean }[]>(
        'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as done',
        [start?.next],
      );
      if (now?.done) return true;
      await pause(PAUSE_MS);
    }
    return false;
  }
}

const fold = ({ schema, time, id }: MarkedList) => `
  update ${schema}.list_marks m set position = m.position + moved.by
    from (select k.ancestor_id, k.${time}, k.${id}, sum(s.shift) as by
            from ${schema}.list_marks k
            join ${schema}.list_shifts s on s.ancestor_id = k.ancestor_id
             and (s.${time}, s.${id}) <= (k.${time}, k.${id})
           group by k.ancestor_id, k.${time}, k.${id}) moved
   where m.ancestor_id = moved.ancestor_id and m.${time} = moved.${time} and m.${id} = moved.${id}`;

/** Only rows after the last mark of each list are counted, and only if there are enough for another mark. */
const append = ({ schema, time, id }: MarkedList) => `
  insert into ${schema}.list_marks (ancestor_id, position, ${time}, ${id})
  select counted.ancestor_id, counted.position, counted.${time}, counted.${id}
    from (select i.ancestor_id, i.${time}, i.${id}, last.position as base,
                 last.position + row_number() over (partition by i.ancestor_id order by i.${time}, i.${id}) as position
            from partners.partners p
            left join lateral (select m.position, m.${time}, m.${id} from ${schema}.list_marks m
                                where m.ancestor_id = p.id order by m.${time} desc, m.${id} desc limit 1) mark on true
           cross join lateral (select coalesce(mark.position, 0) as position,
                                      coalesce(mark.${time}, '-infinity') as ${time},
                                      coalesce(mark.${id}, '00000000-0000-0000-0000-000000000000') as ${id}) last
            join ${schema}.subtree_index i on i.ancestor_id = p.id
             and (i.${time}, i.${id}) > (last.${time}, last.${id})
           where i.${time} <= (select ${time} from ${schema}.list_horizon)
             and exists (select 1 from ${schema}.subtree_index far
                          where far.ancestor_id = p.id and (far.${time}, far.${id}) > (last.${time}, last.${id})
                          order by far.${time}, far.${id} offset $1::int - 1 limit 1)) counted
   where (counted.position - counted.base) % $1::int = 0`;
