import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { HotReader } from '#platform/database/batching/hot-reader';
import type { TextRow } from '#platform/database/connections/page-connections';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { BillingDate } from '#kernel/time/calendar-date';
import { NotFound } from '#kernel/errors';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseFilter } from '../../application/license-queries.js';
import type { LicenseView } from '../../application/license-view.js';
import { FilteredLicenses, type Place } from './filtered-licenses.js';
import { inSubtree } from '../license.row.js';
import { listed, listedColumns } from './listed-license.js';

/** Finds the page with an index-only scan. Then only its rows are read from the table, by key. */
const pageOfIndex = (place: string, range: string, today: string) => `
  select ${listedColumns(today)}
    from licensing.licenses l
   where l.id = any (array(
     select i.license_id from licensing.subtree_index i
      where i.ancestor_id = $1 ${place}
      order by i.issued_at desc, i.license_id desc ${range}))
   order by l.issued_at desc, l.id desc`;

const BY_OFFSET = { name: 'licenses-by-offset', text: pageOfIndex('', 'limit $2 offset $3', '$4') };
/**
 * `list_start` counts rows, and the best plan depends on the subtree. So it is not a named statement: PostgreSQL plans
 * it for its values, like the statements inside the function.
 */
const BY_DEEP_OFFSET = `with start as materialized (select * from licensing.list_start($1, $3)) ${pageOfIndex(
  'and (i.issued_at, i.license_id) <= ((select issued_at from start), (select license_id from start))',
  'limit $2 offset (select remaining from start)',
  '$4',
)}`;
const BY_KEY = {
  name: 'licenses-by-key',
  text: pageOfIndex('and (i.issued_at, i.license_id) < ($3::timestamptz, $4::uuid)', 'limit $2', '$5'),
};

/** From this offset on, using a mark is faster than counting rows. */
const DEEP = 500;

@Injectable()
export class LicenseList {
  constructor(
    private readonly reader: HotReader,
    private readonly transactions: TypeOrmTransactions,
    private readonly filtered: FilteredLicenses,
  ) {}

  /** @throws NotFound if `page.after` is not a license of the subtree */
  async page(
    subtree: PartnerSubtree,
    filter: LicenseFilter,
    page: PageRequest,
    today: BillingDate,
  ): Promise<LicenseView[]> {
    const after = page.after && (await this.placeOf(subtree, page.after));
    const rows = Object.values(filter).some((condition) => condition !== undefined)
      ? await this.filtered.page(subtree, filter, page, after, today)
      : await this.everything(subtree, page, after, today.toString());
    return rows.map(listed);
  }

  private everything(
    { rootId }: PartnerSubtree,
    { limit, offset }: PageRequest,
    after: Place | null,
    today: string,
  ): Promise<TextRow[]> {
    if (after) return this.reader.page(BY_KEY, [rootId, limit, after.issuedAt, after.id, today]);
    const values = [rootId, limit, offset, today];
    return offset < DEEP ? this.reader.page(BY_OFFSET, values) : this.reader.filtered(BY_DEEP_OFFSET, values);
  }

  private async placeOf(subtree: PartnerSubtree, id: Uuid): Promise<Place> {
    const rows: Place[] = await this.transactions.reader.query(
      `select l.issued_at::text as "issuedAt", l.id from licensing.licenses l where l.id = $2 and ${inSubtree('$1')}`,
      [subtree.rootId, id],
    );
    if (!rows[0]) throw new NotFound();
    return rows[0];
  }
}
