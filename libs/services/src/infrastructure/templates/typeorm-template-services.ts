import { IsNull, Not } from 'typeorm';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { type KeyRing, SealBroken, type SealContext } from '#platform/key-ring';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { ResealedSpecs } from '../../application/ports/spec-store.js';
import { TemplateServices } from '../../application/ports/templates/template-services.js';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { ServiceAlarm } from '../../domain/service-state.js';
import type { Rotation, TemplateSecrets, TemplateService } from '../../domain/templates/template-service.js';
import { appendServiceStatus } from '../realtime/feed-sql.js';
import { TemplateServiceRow } from './template-service.row.js';

type SealedColumn = 'secrets' | 'next_password';

/** Secrets under AES-256-GCM; each opens only for its service and column. */
export class TypeOrmTemplateServices extends TemplateServices {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    /** Null: nothing can be opened or sealed here. */
    private readonly keyRing: KeyRing | null,
  ) {
    super();
  }

  async insert(service: TemplateService, secrets: TemplateSecrets): Promise<void> {
    await this.transactions.writer.insert(TemplateServiceRow, {
      ...service,
      secrets: this.seal(service.serviceId, 'secrets', toJson(secrets)),
      nextPassword: null,
      rotationBeganAt: null,
      updatedAt: service.createdAt,
    });
  }

  async get(serviceId: Uuid): Promise<TemplateService | null> {
    const row = await this.find(serviceId);
    if (!row) return null;
    const { template, serviceName, database, user, image, serverVersion, awaitsDataSince, createdAt } = row;
    return { serviceId, template, serviceName, database, user, image, serverVersion, awaitsDataSince, createdAt };
  }

  async secrets(serviceId: Uuid): Promise<TemplateSecrets> {
    const row = await this.find(serviceId);
    return fromJson(this.open(serviceId, 'secrets', row?.secrets ?? Buffer.alloc(0)));
  }

  async rotation(serviceId: Uuid): Promise<Rotation | null> {
    const row = await this.find(serviceId);
    if (!row?.nextPassword || !row.rotationBeganAt) return null;
    const next = new SecretText(this.open(serviceId, 'next_password', row.nextPassword));
    return { next, beganAt: row.rotationBeganAt };
  }

  async beginRotation(serviceId: Uuid, next: SecretText, at: Date): Promise<boolean> {
    const nextPassword = this.seal(serviceId, 'next_password', next.reveal());
    const begun = await this.transactions.writer.update(
      TemplateServiceRow,
      { serviceId, rotationBeganAt: IsNull() },
      { nextPassword, rotationBeganAt: at, updatedAt: at },
    );
    return begun.affected === 1;
  }

  async endRotation(serviceId: Uuid, secrets: TemplateSecrets, at: Date): Promise<void> {
    await this.transactions.writer.update(
      TemplateServiceRow,
      { serviceId },
      {
        secrets: this.seal(serviceId, 'secrets', toJson(secrets)),
        nextPassword: null,
        rotationBeganAt: null,
        updatedAt: at,
      },
    );
  }

  async recordVersion(serviceId: Uuid, serverVersion: string, at: Date): Promise<void> {
    await this.transactions.writer.update(TemplateServiceRow, { serviceId }, { serverVersion, updatedAt: at });
  }

  async dataArrived(serviceId: Uuid, at: Date): Promise<void> {
    await this.transactions.writer.update(TemplateServiceRow, { serviceId }, { awaitsDataSince: null, updatedAt: at });
    await this.transactions.writer.query(
      `with changed as (select s.id, s.customer_id, s.hidden, s.status, $2::timestamptz as at
                          from services.services s where s.id = $1)
       ${appendServiceStatus()}`,
      [serviceId, at],
    );
  }

  async setAlarm(serviceId: Uuid, alarm: ServiceAlarm | null, at: Date): Promise<boolean> {
    const rows: unknown[] = await this.transactions.writer.query(
      `with alarmed as (update services.template_services set alarm = $2::jsonb, updated_at = $3
                         where service_id = $1 and alarm is distinct from $2::jsonb returning service_id),
            changed as (select s.id, s.customer_id, s.hidden, s.status, $3::timestamptz as at
                          from services.services s join alarmed a on a.service_id = s.id)
       ${appendServiceStatus()} returning 1`,
      [serviceId, alarm === null ? null : JSON.stringify(alarm), at],
    );
    return rows.length > 0;
  }

  async reseal(): Promise<ResealedSpecs> {
    const counts = { resealed: 0, upToDate: 0, unreadable: 0 };
    const rows = await this.transactions.reader.find(TemplateServiceRow, { select: { serviceId: true } });
    for (const { serviceId } of rows) counts[await this.resealOne(serviceId)] += 1;
    return counts;
  }

  private resealOne(serviceId: Uuid): Promise<keyof ResealedSpecs> {
    return this.transactions.run(async () => {
      const { writer } = this.transactions;
      const where = { serviceId, secrets: Not(IsNull()) };
      const row = await writer.findOne(TemplateServiceRow, { where, lock: { mode: 'pessimistic_write' } });
      if (!row || !this.keyRing) return 'unreadable';
      const columns = [row.secrets, ...(row.nextPassword ? [row.nextPassword] : [])];
      if (!columns.some((sealed) => this.keyRing!.isStale(sealed))) return 'upToDate';
      try {
        const again = (column: SealedColumn, sealed: Buffer) =>
          this.seal(serviceId, column, this.keyRing!.open(sealed, contextOf(serviceId, column)).toString('utf8'));
        const nextPassword = row.nextPassword && again('next_password', row.nextPassword);
        await writer.update(
          TemplateServiceRow,
          { serviceId },
          { secrets: again('secrets', row.secrets), nextPassword },
        );
        return 'resealed';
      } catch (error) {
        if (error instanceof SealBroken) return 'unreadable';
        throw error;
      }
    });
  }

  private find(serviceId: Uuid): Promise<TemplateServiceRow | null> {
    return this.transactions.reader.findOneBy(TemplateServiceRow, { serviceId });
  }

  private seal(serviceId: Uuid, column: SealedColumn, text: string): Buffer {
    if (!this.keyRing) throw new Error('secrets of a template cannot be sealed without keys');
    return this.keyRing.seal(text, contextOf(serviceId, column));
  }

  private open(serviceId: Uuid, column: SealedColumn, sealed: Buffer): string {
    try {
      if (!this.keyRing) throw new SealBroken();
      return this.keyRing.open(sealed, contextOf(serviceId, column)).toString('utf8');
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new DeployFailure('secret_undecryptable', 'The secrets of the service cannot be opened.', { cause: error });
    }
  }
}

function contextOf(serviceId: Uuid, column: SealedColumn): SealContext {
  return { purpose: 'services.template-secrets', table: 'services.template_services', column, rowId: serviceId };
}

function toJson(secrets: TemplateSecrets): string {
  return JSON.stringify(Object.fromEntries([...secrets].map(([name, value]) => [name, value.reveal()])));
}

function fromJson(text: string): TemplateSecrets {
  const values = JSON.parse(text) as Record<string, string>;
  return new Map(Object.entries(values).map(([name, value]) => [name, new SecretText(value)]));
}
