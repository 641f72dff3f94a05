import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { MembershipRepository, OrganisationRepository } from '../application/ports/organisation-repository.js';
import type { Membership } from '../domain/membership.js';
import { Lineage, type Organisation } from '../domain/organisation.js';
import { MembershipRow, OrganisationRow } from './organisation.row.js';

@Injectable()
export class TypeOrmOrganisationRepository extends OrganisationRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  get(id: Uuid): Promise<Organisation | null> {
    return this.transactions.reader.findOneBy(OrganisationRow, { id });
  }

  async lock(id: Uuid): Promise<void> {
    await this.transactions.writer.query('select 1 from panel_auth.organisations where id = $1 for update', [id]);
  }

  async lockLineage(id: Uuid): Promise<void> {
    // Rows are locked in sort order. The weaker lock allows rows that reference an organisation to be stored.
    await this.transactions.writer.query(
      `select 1 from panel_auth.organisation_subtrees s join panel_auth.organisations o on o.id = s.ancestor_id
        where s.descendant_id = $1 order by s.depth desc for no key update of o`,
      [id],
    );
  }

  async lineage(id: Uuid): Promise<Lineage | null> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      'select ancestor_id as id from panel_auth.organisation_subtrees where descendant_id = $1 order by depth',
      [id],
    );
    return rows.length === 0 ? null : Lineage.of(rows.map((row) => row.id));
  }

  async subtree(id: Uuid): Promise<readonly Uuid[]> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      'select descendant_id as id from panel_auth.organisation_subtrees where ancestor_id = $1 order by depth, id',
      [id],
    );
    return rows.map((row) => row.id);
  }

  list(): Promise<readonly Organisation[]> {
    return this.transactions.reader.find(OrganisationRow, { order: { name: 'ASC', id: 'ASC' } });
  }

  async insert(organisation: Organisation): Promise<void> {
    const writer = this.transactions.writer;
    await writer.insert(OrganisationRow, { ...organisation });
    await writer.query(
      `insert into panel_auth.organisation_subtrees (ancestor_id, descendant_id, depth)
       select $1::uuid, $1::uuid, 0
       union all
       select ancestor_id, $1::uuid, depth + 1
         from panel_auth.organisation_subtrees where descendant_id = $2::uuid`,
      [organisation.id, organisation.parentId],
    );
  }
}

@Injectable()
export class TypeOrmMembershipRepository extends MembershipRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  ofUser(userId: Uuid): Promise<readonly Membership[]> {
    const order = { createdAt: 'ASC', organisationId: 'ASC' } as const;
    return this.transactions.reader.find(MembershipRow, { where: { userId }, order });
  }

  ofOrganisation(organisationId: Uuid): Promise<readonly Membership[]> {
    const order = { createdAt: 'ASC', userId: 'ASC' } as const;
    return this.transactions.reader.find(MembershipRow, { where: { organisationId }, order });
  }

  async put({ userId, organisationId, role, permissions, createdAt }: Membership): Promise<void> {
    await this.transactions.writer.query(
      `insert into panel_auth.memberships (user_id, organisation_id, role, permissions, created_at)
       values ($1, $2, $3, $4, $5)
       on conflict (user_id, organisation_id)
         do update set role = excluded.role, permissions = excluded.permissions`,
      [userId, organisationId, role, permissions, createdAt],
    );
  }

  async remove(userId: Uuid, organisationId: Uuid): Promise<boolean> {
    const { affected } = await this.transactions.writer.delete(MembershipRow, { userId, organisationId });
    return affected === 1;
  }
}
