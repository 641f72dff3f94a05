import { Injectable } from '@nestjs/common';
import { Brackets, In, LessThan, type SelectQueryBuilder } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import { violates } from '#platform/database/database-errors';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import {
  DomainRepository,
  type HostHolder,
  type RoutedDomain,
} from '../../application/ports/ingress/domain-repository.js';
import { DomainTaken } from '../../domain/domains/domain-errors.js';
import type { ServiceDomain } from '../../domain/domains/service-domain.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { inScope, scopeIds } from '../sql/service-columns.js';
import { DomainRow } from './domain.row.js';
import { ROUTED, ROUTED_DIGEST, TAKE_DUE, type RoutedRecord } from './domain-sql.js';

@Injectable()
export class TypeOrmDomainRepository extends DomainRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async list(scope: OrganisationScope, serviceId: Uuid): Promise<readonly ServiceDomain[]> {
    const query = this.inScope(scope).andWhere('d.serviceId = :serviceId', { serviceId });
    return (await query.orderBy('d.createdAt').addOrderBy('d.id').getMany()).map(toDomain);
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<ServiceDomain | null> {
    const row = await this.inScope(scope).andWhere('d.id = :id', { id }).getOne();
    return row && toDomain(row);
  }

  async holders(hosts: readonly string[]): Promise<readonly HostHolder[]> {
    const rows = await this.transactions.reader.findBy(DomainRow, { host: In([...hosts]) });
    const owners: { id: Uuid; customerId: Uuid | null }[] = await this.transactions.reader.query(
      'select id, customer_id as "customerId" from services.services where id = any($1)',
      [rows.map(({ serviceId }) => serviceId)],
    );
    const customers = new Map(owners.map(({ id, customerId }) => [id, customerId]));
    return rows.map((row) => ({ domain: toDomain(row), customerId: customers.get(row.serviceId) ?? null }));
  }

  async insert(domain: ServiceDomain, nextCheckAt: Date | null): Promise<void> {
    try {
      await this.transactions.writer.insert(DomainRow, { ...toRow(domain), nextCheckAt });
    } catch (error) {
      if (violates(error, 'domains_host')) throw new DomainTaken();
      throw error;
    }
  }

  async update({ id, targetService, targetPort, isPrimary, tls, certificateExpiresAt }: ServiceDomain): Promise<void> {
    const change = { targetService, targetPort, isPrimary, tls, certificateExpiresAt };
    await this.transactions.writer.update(DomainRow, { id }, change);
  }

  async saveVerification({ id, status, verification, verifiedAt }: ServiceDomain, nextCheckAt: Date | null) {
    const { checkedAt, errorMessage } = verification;
    const change = { status, checkedAt, errorMessage, verifiedAt, nextCheckAt };
    await this.transactions.writer.update(DomainRow, { id }, change);
  }

  async delete(id: Uuid): Promise<void> {
    await this.transactions.writer.delete(DomainRow, { id });
  }

  async clearPrimary(serviceId: Uuid, exceptId: Uuid): Promise<void> {
    await this.transactions.writer.query(
      'update services.domains set is_primary = false where service_id = $1 and id <> $2 and is_primary',
      [serviceId, exceptId],
    );
  }

  async takeDue(now: Date, limit: number): Promise<readonly ServiceDomain[]> {
    const ids: { id: Uuid }[] = await this.transactions.writer.query(TAKE_DUE, [now, limit]);
    const rows = await this.transactions.reader.findBy(DomainRow, { id: In(ids.map(({ id }) => id)) });
    return rows.map(toDomain);
  }

  async routed(): Promise<readonly RoutedDomain[]> {
    const rows: RoutedRecord[] = await this.transactions.reader.query(ROUTED);
    return rows.map(({ serviceId, desiredState, suspended, currentDeploymentId, ...domain }) => ({
      ...domain,
      service: { id: serviceId, desiredState, suspended, currentDeploymentId },
    }));
  }

  async routedDigest(): Promise<string> {
    const [row]: { digest: string }[] = await this.transactions.reader.query(ROUTED_DIGEST);
    return row!.digest;
  }

  async hasAny(serviceId: Uuid): Promise<boolean> {
    return this.transactions.reader.existsBy(DomainRow, { serviceId });
  }

  async withoutCertificate(endsBefore: Date, limit: number): Promise<readonly ServiceDomain[]> {
    const query = this.transactions.reader.createQueryBuilder(DomainRow, 'd');
    query.where("d.status = 'active' and d.tls <> 'off'").andWhere(
      new Brackets((either) => {
        either.where('d.certificateExpiresAt is null').orWhere({ certificateExpiresAt: LessThan(endsBefore) });
      }),
    );
    return (await query.orderBy('d.certificateExpiresAt', 'ASC', 'NULLS FIRST').limit(limit).getMany()).map(toDomain);
  }

  async noteCertificate(id: Uuid, expiresAt: Date): Promise<void> {
    await this.transactions.writer.update(DomainRow, { id }, { certificateExpiresAt: expiresAt });
  }

  /** The panel's own infrastructure has no domains that anybody sees. */
  private inScope(scope: OrganisationScope): SelectQueryBuilder<DomainRow> {
    const owned = `exists (select 1 from services.services s where s.id = d.service_id and not s.hidden
      and ${inScope(':scope')})`;
    return this.transactions.reader.createQueryBuilder(DomainRow, 'd').where(owned, { scope: scopeIds(scope) });
  }
}

function toDomain(row: DomainRow): ServiceDomain {
  const { verificationMethod, verificationRecord, verificationValue, checkedAt, errorMessage, ...rest } = row;
  const { nextCheckAt: _, ...domain } = rest;
  const named = { method: verificationMethod, record: verificationRecord, value: verificationValue };
  return { ...domain, verification: { ...named, checkedAt, errorMessage } };
}

function toRow({ verification, ...domain }: ServiceDomain): Omit<DomainRow, 'nextCheckAt'> {
  const { method, record, value, checkedAt, errorMessage } = verification;
  const named = { verificationMethod: method, verificationRecord: record, verificationValue: value };
  return { ...domain, ...named, checkedAt, errorMessage };
}
