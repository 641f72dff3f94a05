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

/** A place in the order of the list, with the time in all its digits. */
export interface Place {
  readonly issuedAt: string;
  readonly id: Uuid;
}

/** Where licenses `l` are looked for, and which columns have them in the order of the list. */
interface Source {
  readonly from: string;
  readonly issuedAt: string;
  readonly id: string;
}

const ALL: Source = { from: 'licensing.licenses l', issuedAt: 'l.issued_at', id: 'l.id' };
const UNLIKE_ACTIVE: Source = {
  from: 'licensing.unlike_active u join licensing.licenses l on l.id = u.license_id',
  issuedAt: 'u.issued_at',
  id: 'u.license_id',
};

/** How many of the newest licenses are looked through before the whole subtree is asked. */
const WALK = 2_000;

/**
 * Pages under conditions. What many licenses fulfil is found soonest by walking from the newest on, what few fulfil by
 * the table's own indexes; PostgreSQL guesses wrong which it is, so both are tried in this order.
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
    return this.among(fewHaveIt ? UNLIKE_ACTIVE : ALL, subtree, filter, page, after, today);
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
    if (source === UNLIKE_ACTIVE) conditions.push(`u.state in (${statesOf(filter).map(bind).join(', ')})`);
    return this.reader.filtered(
      `select ${listedColumns(bind(today.toString()))} from ${from} where ${conditions.join(' and ')}
        order by ${issuedAt} desc, ${id} desc limit $2 offset $3`,
      values,
    );
  }
}

/** The next licenses of the subtree in the order of the list; `$4` and `$5` are the place after which they begin. */
function newest(after: Place | null): Source {
  const place = after ? 'and (i.issued_at, i.license_id) < ($4::timestamptz, $5::uuid)' : '';
  const from = `(select r.* from (
      select i.issued_at, i.license_id from licensing.subtree_index i where i.ancestor_id = $1 ${place}
       order by i.issued_at desc, i.license_id desc limit ${WALK}) walk
    join licensing.licenses r on r.id = walk.license_id) l`;
  return { ...ALL, from };
}

/** The states in which a license may be on record that is found under this filter. */
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
  // The partial index of references is used only where the query says as much.
  if (filter.externalBillingRef) conditions.push(`l.external_billing_ref <> ''`);
  if (filter.issuedFrom) conditions.push(`${issuedAt} >= ${bind(filter.issuedFrom)}`);
  if (filter.issuedTo) conditions.push(`${issuedAt} <= ${bind(filter.issuedTo)}`);
  return conditions;
}
