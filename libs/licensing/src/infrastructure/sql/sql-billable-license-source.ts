import { Injectable } from '@nestjs/common';
import {
  BillableLicenseSource,
  NEVER,
  type BillableContract,
  type BillableSpan,
  type BillingWindow,
  type DayCount,
} from '#libs/billing';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** Up to this many spans are read at once, without a cursor. */
const AT_ONCE = 2_000;
/**
 * Large, so that round trips do not matter. Small, so that the objects of a batch die in the young generation of the
 * heap.
 */
const BATCH = 5_000;
const UUID_LENGTH = 36;

/** One text per row, because the driver decodes one column several times faster than seven. */
const columns = (first: string, last: string, opened: string, closed: string) => `
  s.contract_id || E'\\t' || s.license_id || E'\\t' || (${first} - date '1970-01-01')
    || E'\\t' || coalesce((${last} - date '1970-01-01')::text, '') || E'\\t' || coalesce((${opened})::text, '')
    || E'\\t' || coalesce((${closed})::text, '') || E'\\t' || translate(l.key_masked, E'\\n', ' ') as span`;

const SPANS = `
  select ${columns('lower(days)', 'upper(days) - 1', 'opened_by', 'closed_by')}
    from licensing.ownership_spans s join licensing.licenses l on l.id = s.license_id
   where s.contract_id = any($1::uuid[]) and s.days && daterange($2::date, $3::date, '[]')
   order by s.contract_id, s.license_id, lower(s.days)`;

/** Counts the draws, not the spans, because a slot once drawn is never given back. */
const DRAWS = `
  select ${columns('drawn_on', 'drawn_on - 1', 'event_id', 'null')}
    from licensing.pack_draws s join licensing.licenses l on l.id = s.license_id
   where s.contract_id = any($1::uuid[]) and $2::date is not null and s.drawn_on <= $3::date
   order by s.contract_id, s.license_id`;

/** Lets PostgreSQL hash in memory. A million licenses take a few hundred megabytes for about a second. */
const COUNT_IN_MEMORY = `select set_config('work_mem', '256MB', true)`;

const DAY_COUNTS = `
  select contract_id as "contractId", days::int as days, count(*)::int as licenses
    from (select s.contract_id, s.license_id, sum(upper(s.days * w.days) - lower(s.days * w.days)) as days
            from licensing.ownership_spans s, (select daterange($1::date, $2::date, '[]') as days) w
           where s.days && w.days group by s.contract_id, s.license_id) as licenses
   group by contract_id, days order by contract_id, days`;

/** Plans the cursor for reading all of its rows, with memory to sort a few hundred thousand of them. */
const PLAN_FOR_ALL = `select set_config('cursor_tuple_fraction', '1', true), set_config('work_mem', '64MB', true)`;

/**
 * Reads small results at once, and larger ones through a cursor of the open transaction, so that neither side holds all
 * rows.
 */
@Injectable()
export class SqlBillableLicenseSource extends BillableLicenseSource {
  private cursors = 0;

  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async *spans(contracts: readonly BillableContract[], window: BillingWindow): AsyncGenerator<BillableSpan[]> {
    for (const { asks, ids } of runs(contracts)) yield* this.read(asks === 'spans' ? SPANS : DRAWS, ids, window);
  }

  dayCounts(window: BillingWindow): Promise<DayCount[]> {
    return this.transactions.run(async () => {
      const { writer } = this.transactions;
      await writer.query(COUNT_IN_MEMORY);
      return writer.query<DayCount[]>(DAY_COUNTS, daysOf(window));
    });
  }

  private async *read(sql: string, ids: readonly Uuid[], window: BillingWindow): AsyncGenerator<BillableSpan[]> {
    const { writer } = this.transactions;
    const days = daysOf(window);
    const first: SpanRow[] = await writer.query(`${sql} limit ${AT_ONCE + 1}`, [ids, ...days]);
    if (first.length <= AT_ONCE) {
      if (first.length > 0) yield first.map(parseSpan);
      return;
    }
    yield* this.readThroughCursor(sql, [ids, ...days]);
  }

  private async *readThroughCursor(sql: string, values: unknown[]): AsyncGenerator<BillableSpan[]> {
    const { writer } = this.transactions;
    const cursor = `billable_${++this.cursors}`;
    await writer.query(PLAN_FOR_ALL);
    await writer.query(`declare ${cursor} no scroll cursor for ${sql}`, values);
    const fetch = () => writer.query<SpanRow[]>(`fetch ${BATCH} from ${cursor}`);
    let next = fetch();
    for (;;) {
      const rows = await next;
      const isLast = rows.length < BATCH;
      // Reads ahead while a batch is being processed. An error is thrown when the consumer asks for that batch.
      if (!isLast) {
        next = fetch();
        next.catch(() => undefined);
      }
      if (rows.length > 0) yield rows.map(parseSpan);
      if (isLast) break;
    }
    await writer.query(`close ${cursor}`);
  }
}

/** Groups adjacent contracts of the same kind, which are read together. */
function runs(contracts: readonly BillableContract[]): { asks: BillableContract['asks']; ids: Uuid[] }[] {
  const found: { asks: BillableContract['asks']; ids: Uuid[] }[] = [];
  for (const { id, asks } of contracts) {
    const last = found.at(-1);
    if (last?.asks === asks) last.ids.push(id);
    else found.push({ asks, ids: [id] });
  }
  return found;
}

function daysOf({ firstDay, lastDay }: BillingWindow): string[] {
  return [firstDay, lastDay].map((day) => BillingDate.fromEpochDay(day).toString());
}

interface SpanRow {
  readonly span: string;
}

function parseSpan({ span: row }: SpanRow): BillableSpan {
  const license = UUID_LENGTH + 1;
  const first = license + license;
  const last = row.indexOf('\t', first) + 1;
  const opened = row.indexOf('\t', last) + 1;
  const closed = row.indexOf('\t', opened) + 1;
  const key = row.indexOf('\t', closed) + 1;
  return {
    contractId: row.slice(0, UUID_LENGTH) as Uuid,
    licenseId: row.slice(license, first - 1) as Uuid,
    firstDay: Number(row.slice(first, last - 1)),
    lastDay: last === opened - 1 ? NEVER : Number(row.slice(last, opened - 1)),
    openedBy: opened === closed - 1 ? null : Number(row.slice(opened, closed - 1)),
    closedBy: closed === key - 1 ? null : Number(row.slice(closed, key - 1)),
    keyMasked: row.slice(key),
  };
}
