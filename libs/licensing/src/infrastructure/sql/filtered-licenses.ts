import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { HotReader } from '#platform/database/batching/hot-reader';
import type { TextRow } from '#platform/database/connections/page-connections';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseFilter } from '../../application/license-queries.js';
import type { LicenseState } from '../../domain/license-state.js';
import { inSubtree } from '../license.row.js';
import { listedColumns } from './listed-license.js';

/** A position in the list order, with full time precision. */
export interface Place {
  readonly issuedAt: string;
  readonly id: Uuid;
}

/** The tables to search for licenses `l`, and the columns with the list order. */
interface Source {
  readonly from: string;
  readonly issuedAt: string;
  readonly id: string;
}

const ALL: Source = { from: 'licensing.licenses l', issuedAt: 'l.issued_at', id: 'l.id' };
const NOT_ACTIVE: Source = {
  from: 'licensing.unlike_active u join licensing.licenses l on l.id = u.license_id',
  issuedAt: 'u.issued_at',
  id: 'u.license_id',
};

/** How many of the newest licenses are scanned before the whole subtree is queried. */
const NEWEST_SCANNED = 2_000;

/**
 * Pages with filters. If many licenses match, scanning from the newest is fastest. If few match, the table's own
 * indexes are. PostgreSQL misjudges this, so both are tried, in this order.
 */
@Injectable()
export class FilteredLicenses {
  constructor(private readonly reader: HotReader) {}

  async page(
    subtree: PartnerSubtree,
    filter: LicenseFilter,
    page: PageRequest,
    after: Place | null,
    today: BillingDate,
  ): Promise<TextRow[]> {
    const { customerId, contractId, partnerId, externalBillingRef } = filter;
    const hasOwnIndex = [customerId, contractId, partnerId, externalBillingRef || undefined].some(Boolean);
    if (!hasOwnIndex) {
      const rows = await this.among(newest(after), subtree, filter, page, after, today);
      if (rows.length === page.limit) return rows;
    }
    const fewHaveIt = !hasOwnIndex && filter.state !== undefined && filter.state !== 'active';
    return this.among(fewHaveIt ? NOT_ACTIVE : ALL, subtree, filter, page, after, today);
  }

  private among(
    source: Source,
    subtree: PartnerSubtree,
    filter: LicenseFilter,
    page: PageRequest,
    after: Place | null,
    today: BillingDate,
  ): Promise<TextRow[]> {
    const values: unknown[] = [subtree.rootId, page.limit, after ? 0 : page.offset];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const conditions = [inSubtree('$1')];
    const { from, issuedAt, id } = source;
    if (after)
      conditions.push(`(${issuedAt}, ${id}) < (${bind(after.issuedAt)}::timestamptz, ${bind(after.id)}::uuid)`);
    conditions.push(...conditionsOf(filter, today, bind, issuedAt));
    if (source === NOT_ACTIVE) conditions.push(`u.state in (${statesOf(filter).map(bind).join(', ')})`);
    return this.reader.filtered(
      `select ${listedColumns(bind(today.toString()))} from ${from} where ${conditions.join(' and ')}
        order by ${issuedAt} desc, ${id} desc limit $2 offset $3`,
      values,
    );
  }
}

/** The next licenses of the subtree in list order, after the position `$4`, `$5`. */
function newest(after: Place | null): Source {
  const place = after ? 'and (i.issued_at, i.license_id) < ($4::timestamptz, $5::uuid)' : '';
  const from = `(select r.* from (
      select i.issued_at, i.license_id from licensing.subtree_index i where i.ancestor_id = $1 ${place}
       order by i.issued_at desc, i.license_id desc limit ${NEWEST_SCANNED}) walk
    join licensing.licenses r on r.id = walk.license_id) l`;
  return { ...ALL, from };
}

/** The stored states that may match this filter. */
function statesOf({ state }: LicenseFilter): (LicenseState | undefined)[] {
  return state === 'expired' ? ['expired', 'trial'] : [state];
}

function conditionsOf(
  filter: LicenseFilter,
  today: BillingDate,
  bind: (value: unknown) => string,
  issuedAt: string,
): string[] {
  const conditions: string[] = [];
  const overdue = () => `coalesce(l.expires_on < ${bind(today.toString())}::date, false)`;
  if (filter.state === 'trial') conditions.push(`l.state = 'trial' and not ${overdue()}`);
  else if (filter.state === 'expired') conditions.push(`(l.state = 'expired' or l.state = 'trial' and ${overdue()})`);
  else if (filter.state !== undefined) conditions.push(`l.state = ${bind(filter.state)}`);
  const equal = {
    edition: filter.edition,
    customer_id: filter.customerId,
    contract_id: filter.contractId,
    partner_id: filter.partnerId,
    external_billing_ref: filter.externalBillingRef,
  };
  for (const [column, value] of Object.entries(equal)) {
    if (value !== undefined) conditions.push(`l.${column} = ${bind(value)}`);
  }
  // PostgreSQL uses the partial index only if the query repeats the index's condition.
  if (filter.externalBillingRef) conditions.push(`l.external_billing_ref <> ''`);
  if (filter.issuedFrom) conditions.push(`${issuedAt} >= ${bind(filter.issuedFrom)}`);
  if (filter.issuedTo) conditions.push(`${issuedAt} <= ${bind(filter.issuedTo)}`);
  return conditions;
}
