import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  arraysOf,
  namesOf,
  relationOf,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import {
  AuditRepository,
  type AuditFilter,
  type AuditPage,
  type ShownAuditEntry,
} from '../application/ports/audit-repository.js';
import type { AuditEntry } from '../domain/audit-entry.js';
import { AuditEntryRow } from './audit-entry.row.js';
import { UserRow } from './user.row.js';

const WRITTEN: Columns<AuditEntry> = {
  id: ['uuid', ({ id }) => id],
  at: ['timestamptz', ({ at }) => at],
  action: ['text', ({ action }) => action],
  user_id: ['uuid', ({ actor }) => actor.userId],
  api_key_id: ['uuid', ({ actor }) => actor.apiKeyId],
  organisation_id: ['uuid', ({ organisationId }) => organisationId],
  target: ['text', ({ target }) => target],
  detail: ['jsonb', ({ detail }) => JSON.stringify(detail)],
};
const APPEND: SetStatement<AuditEntry> = {
  name: 'append-audit-entries',
  text: `insert into panel_auth.audit_log (${namesOf(WRITTEN)})
         select ${namesOf(WRITTEN)} from ${relationOf(WRITTEN)} as written order by place`,
  values: arraysOf(WRITTEN),
};

@Injectable()
export class TypeOrmAuditRepository extends AuditRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async append(entry: AuditEntry): Promise<void> {
    await this.transactions.ask(APPEND, entry);
  }

  async page({ action, userId, organisationId }: AuditFilter, page: number, pageSize: number): Promise<AuditPage> {
    const [rows, total] = await this.transactions.reader.findAndCount(AuditEntryRow, {
      where: { ...(action && { action }), ...(userId && { userId }), ...(organisationId && { organisationId }) },
      order: { seq: 'DESC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    const emails = await this.emailsOf(rows);
    return { entries: rows.map((row) => shown(row, emails)), total };
  }

  private async emailsOf(rows: readonly AuditEntryRow[]): Promise<ReadonlyMap<Uuid, string>> {
    const ids = [...new Set(rows.map(({ userId }) => userId).filter((id) => id !== null))];
    const users = await this.transactions.reader.find(UserRow, {
      where: { id: In(ids) },
      select: { id: true, email: true },
    });
    return new Map(users.map(({ id, email }) => [id, email]));
  }
}

function shown(
  { seq: _, userId, apiKeyId, ...row }: AuditEntryRow,
  emails: ReadonlyMap<Uuid, string>,
): ShownAuditEntry {
  const userEmail = userId === null ? null : (emails.get(userId) ?? null);
  return { ...row, actor: { userId, apiKeyId }, userEmail };
}
