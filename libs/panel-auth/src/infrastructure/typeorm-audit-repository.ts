import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/typeorm-transactions';
import { AuditRepository, type AuditFilter, type AuditPage } from '../application/ports/audit-repository.js';
import type { AuditEntry } from '../domain/audit-entry.js';
import { AuditEntryRow } from './audit-entry.row.js';

@Injectable()
export class TypeOrmAuditRepository extends AuditRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async append({ actor, ...entry }: AuditEntry): Promise<void> {
    await this.transactions.writer.insert(AuditEntryRow, { ...entry, ...actor, detail: { ...entry.detail } });
  }

  async page({ action, userId, organisationId }: AuditFilter, page: number, pageSize: number): Promise<AuditPage> {
    const [rows, total] = await this.transactions.reader.findAndCount(AuditEntryRow, {
      where: { ...(action && { action }), ...(userId && { userId }), ...(organisationId && { organisationId }) },
      order: { seq: 'DESC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    return { entries: rows.map(toDomain), total };
  }
}

function toDomain({ seq: _, userId, apiKeyId, ...row }: AuditEntryRow): AuditEntry {
  return { ...row, actor: { userId, apiKeyId } };
}
