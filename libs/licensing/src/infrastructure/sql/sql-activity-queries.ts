import { Injectable } from '@nestjs/common';
import { CustomerDirectory } from '#libs/customers';
import type { PartnerSubtree } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { NotFound } from '#kernel/errors';
import { humanId } from '#kernel/text/human-id';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  ActivityQueries,
  type ActivityEvent,
  type ActivityExport,
  type ActivityFilter,
  type ActivityPage,
  type ActivitySummary,
} from '../../application/ledger/activity-queries.js';

const EXPORT_BATCH = 500;

/** The events of the customer `$1`. Each half of the union is read newest first from its own index. */
const activityOf = (conditions: string, range: string) => `
  (select e.* from licensing.ledger_events e where e.customer_id = $1 ${conditions}
    order by e.at desc, e.id desc ${range})
  union all
  (select e.* from licensing.licenses owned
     join licensing.ledger_events e on e.license_id = owned.id and e.customer_id is null
    where owned.customer_id = $1 ${conditions}
    order by e.at desc, e.id desc ${range})`;

interface EventRow extends Omit<ActivityEvent, 'id' | 'licenseHumanId'> {
  readonly id: string;
  readonly number: string;
  readonly place: string;
  readonly total?: string;
}

@Injectable()
export class SqlActivityQueries extends ActivityQueries {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly customers: CustomerDirectory,
  ) {
    super();
  }

  async list(
    subtree: PartnerSubtree,
    customerId: Uuid,
    filter: ActivityFilter,
    page: ActivityPage,
  ): Promise<ActivityEvent[]> {
    await this.assertKnown(subtree, customerId);
    const after = page.after === null ? null : await this.placeOf(customerId, page.after);
    const rows = await this.rows(customerId, filter, after, page.limit, after ? 0 : page.offset);
    return rows.map(toEvent);
  }

  async summary(subtree: PartnerSubtree, customerId: Uuid): Promise<ActivitySummary> {
    await this.assertKnown(subtree, customerId);
    const rows: (Omit<ActivitySummary, 'customerId' | 'total'> & { total: string })[] =
      await this.transactions.reader.query(
        `with activity as (${activityOf('', '')})
         select count(*) as total, min(at) as "firstAt", max(at) as "lastAt",
                coalesce((select json_agg(json_build_object('event', event, 'count', number) order by event)
                            from (select event, count(*) as number from activity group by event) e), '[]') as "byEvent",
                coalesce((select json_agg(json_build_object('actor', actor, 'count', number) order by actor)
                            from (select actor, count(*) as number from activity group by actor) a), '[]') as "byActor"
           from activity`,
        [customerId],
      );
    const row = rows[0];
    if (!row) throw new Error('the aggregate returned no row');
    return { ...row, customerId, total: Number(row.total) };
  }

  async export(
    subtree: PartnerSubtree,
    customerId: Uuid,
    filter: ActivityFilter,
    cap: number,
  ): Promise<ActivityExport> {
    await this.assertKnown(subtree, customerId);
    const values: unknown[] = [customerId];
    const conditions = conditionsOf(filter, (value) => `$${values.push(value)}`);
    const [{ total }] = await this.transactions.reader.query<[{ total: string }]>(
      `select count(*) as total from (${activityOf(conditions, '')}) activity`,
      values,
    );
    return { total: Number(total), events: this.walk(customerId, filter, cap) };
  }

  /** Reads by key, in batches, so that a slow reader does not hold a connection. */
  private async *walk(customerId: Uuid, filter: ActivityFilter, cap: number): AsyncGenerator<ActivityEvent> {
    let after: Place | null = null;
    for (let rest = cap; rest > 0; rest -= EXPORT_BATCH) {
      const rows: EventRow[] = await this.rows(customerId, filter, after, Math.min(EXPORT_BATCH, rest), 0);
      for (const row of rows) yield toEvent(row);
      const last = rows.at(-1);
      if (!last || rows.length < EXPORT_BATCH) return;
      after = { at: last.place, id: last.id };
    }
  }

  private rows(
    customerId: Uuid,
    filter: ActivityFilter,
    after: Place | null,
    limit: number,
    offset: number,
  ): Promise<EventRow[]> {
    const values: unknown[] = [customerId];
    const bind = (value: unknown) => `$${values.push(value)}`;
    let conditions = conditionsOf(filter, bind);
    if (after) conditions += ` and (e.at, e.id) < (${bind(after.at)}::timestamptz, ${bind(after.id)}::bigint)`;
    const activity = activityOf(conditions, `limit ${bind(limit + offset)}`);
    return this.transactions.reader.query(
      `select page.id, page.event, page.at, page.at::text as place, page.actor, page.customer_id as "customerId",
              page.license_id as "licenseId", l.number, page.data
         from (select * from (${activity}) e order by e.at desc, e.id desc limit ${bind(limit)} offset ${bind(offset)}) page
         join licensing.licenses l on l.id = page.license_id
        order by page.at desc, page.id desc`,
      values,
    );
  }

  private async placeOf(customerId: Uuid, id: number): Promise<Place> {
    const rows: Place[] = await this.transactions.reader.query(
      `select e.at::text, e.id from licensing.ledger_events e join licensing.licenses l on l.id = e.license_id
        where e.id = $2 and coalesce(e.customer_id, l.customer_id) = $1`,
      [customerId, id],
    );
    if (!rows[0]) throw new NotFound();
    return rows[0];
  }

  private async assertKnown(subtree: PartnerSubtree, customerId: Uuid): Promise<void> {
    if (!(await this.customers.find(subtree, customerId))) throw new NotFound();
  }
}

/** A position in the list order, with full time precision. */
interface Place {
  readonly at: string;
  readonly id: string;
}

function conditionsOf({ events, actor, from, to }: ActivityFilter, bind: (value: unknown) => string): string {
  const conditions: string[] = [];
  if (events) conditions.push(`e.event = any(${bind(events)}::text[])`);
  if (actor === null) conditions.push('e.actor is null');
  else if (actor !== undefined) conditions.push(`e.actor = ${bind(actor)}`);
  if (from) conditions.push(`e.at >= ${bind(from)}`);
  if (to) conditions.push(`e.at <= ${bind(to)}`);
  return conditions.map((condition) => `and ${condition}`).join(' ');
}

function toEvent({ id, event, at, actor, customerId, licenseId, number, data }: EventRow): ActivityEvent {
  const licenseHumanId = humanId('license', number);
  return { id: Number(id), event, at, actor, customerId, licenseId, licenseHumanId, data };
}
