import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/typeorm-transactions';
import { ListMarks } from '../application/ports/list-marks.js';

export const BUILDER_LOCK = 7_402_115_003;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/**
 * First the horizon moves, in a transaction of its own. Once everybody who may not have seen that is done, whoever
 * writes at or before the horizon leaves shifts, and a snapshot holds exactly the rows and the shifts that belong
 * together: the shifts in it are folded into the marks, and new marks are counted from its rows.
 */
@Injectable()
export class SqlListMarks extends ListMarks {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async extend(horizon: Date, spacing: number): Promise<void> {
    await this.transactions.run(() =>
      this.transactions.writer.query(
        'update licensing.list_horizon set issued_at = greatest(issued_at, $1::timestamptz)',
        [horizon],
      ),
    );
    if (!(await this.othersAreDone())) return;
    await this.transactions.run(async () => {
      const writer = this.transactions.writer;
      await writer.query('set transaction isolation level repeatable read');
      const [lock] = await writer.query<{ free: boolean }[]>('select pg_try_advisory_xact_lock($1) as free', [
        BUILDER_LOCK,
      ]);
      if (!lock?.free) return;
      await writer.query(FOLD);
      await writer.query('delete from licensing.list_shifts');
      await writer.query(APPEND, [spacing]);
    });
  }

  /** True once every transaction that was running is over; false when that takes too long, to be tried next time. */
  private async othersAreDone(): Promise<boolean> {
    const reader = this.transactions.reader;
    const [start] = await reader.query<{ next: string }[]>('select pg_snapshot_xmax(pg_current_snapshot()) as next');
    for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
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

const FOLD = `
  update licensing.list_marks m set position = m.position + moved.by
    from (select k.ancestor_id, k.issued_at, k.license_id, sum(s.shift) as by
            from licensing.list_marks k
            join licensing.list_shifts s on s.ancestor_id = k.ancestor_id
             and (s.issued_at, s.license_id) <= (k.issued_at, k.license_id)
           group by k.ancestor_id, k.issued_at, k.license_id) moved
   where m.ancestor_id = moved.ancestor_id and m.issued_at = moved.issued_at and m.license_id = moved.license_id`;

/** Only the rows behind the last mark of each list are counted, and only where there are enough for another mark. */
const APPEND = `
  insert into licensing.list_marks (ancestor_id, position, issued_at, license_id)
  select counted.ancestor_id, counted.position, counted.issued_at, counted.license_id
    from (select i.ancestor_id, i.issued_at, i.license_id, last.position as base,
                 last.position + row_number() over (partition by i.ancestor_id order by i.issued_at, i.license_id) as position
            from partners.partners p
            left join lateral (select m.position, m.issued_at, m.license_id from licensing.list_marks m
                                where m.ancestor_id = p.id order by m.issued_at desc, m.license_id desc limit 1) mark on true
           cross join lateral (select coalesce(mark.position, 0) as position,
                                      coalesce(mark.issued_at, '-infinity') as issued_at,
                                      coalesce(mark.license_id, '00000000-0000-0000-0000-000000000000') as license_id) last
            join licensing.subtree_index i on i.ancestor_id = p.id
             and (i.issued_at, i.license_id) > (last.issued_at, last.license_id)
           where i.issued_at <= (select issued_at from licensing.list_horizon)
             and exists (select 1 from licensing.subtree_index far
                          where far.ancestor_id = p.id and (far.issued_at, far.license_id) > (last.issued_at, last.license_id)
                          order by far.issued_at, far.license_id offset $1::int - 1 limit 1)) counted
   where (counted.position - counted.base) % $1::int = 0`;
