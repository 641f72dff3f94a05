import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { OrganisationListing } from '../application/ports/organisation-listing.js';
import type { ListedOrganisation, Member, OrganisationFilter } from '../domain/listed-organisation.js';

const COLUMNS = `o.id, o.name, o.parent_id as "parentId", o.created_at as "createdAt",
  (select count(*)::integer from panel_auth.memberships m where m.organisation_id = o.id) as members`;
const CHOSEN = `panel_auth.organisations o
  where ($1::uuid[] is null or o.id = any ($1)) and ($2::uuid[] is null or o.id = any ($2))
    and ($3::text is null or o.name ilike $3)`;

/** Uses SQL, because it joins and counts across several repositories. */
@Injectable()
export class SqlOrganisationListing extends OrganisationListing {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async page({ within, ids, search }: OrganisationFilter, page: number, pageSize: number) {
    const filter = [within, ids, search === null ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`];
    const counted: { total: number }[] = await this.transactions.reader.query(
      `select count(*)::integer as total from ${CHOSEN}`,
      filter,
    );
    const organisations: ListedOrganisation[] = await this.transactions.reader.query(
      `select ${COLUMNS} from ${CHOSEN} order by lower(o.name), o.id limit $4 offset $5`,
      [...filter, pageSize, (page - 1) * pageSize],
    );
    return { organisations, total: counted[0]?.total ?? 0 };
  }

  async one(id: Uuid): Promise<ListedOrganisation | null> {
    const rows: ListedOrganisation[] = await this.transactions.reader.query(
      `select ${COLUMNS} from panel_auth.organisations o where o.id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  members(organisationId: Uuid): Promise<readonly Member[]> {
    return this.transactions.reader.query(
      `select m.user_id as "userId", m.organisation_id as "organisationId", m.role, m.permissions,
              m.created_at as "createdAt", u.email, u.role as "userRole", u.disabled_at is not null as "isDisabled",
              u.issuer is not null as "hasSignedIn"
         from panel_auth.memberships m join panel_auth.users u on u.id = m.user_id
        where m.organisation_id = $1 order by u.email, u.id`,
      [organisationId],
    );
  }
}
