import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import {
  BackupRepository,
  type BackupFilter,
  type BackupPage,
  type BackupWork,
  type NewestProof,
} from '../../application/ports/backup-repository.js';
import type { Backup } from '../../domain/backup.js';
import { BackupInProgress } from '../../domain/backup-errors.js';
import type { BackupState } from '../../domain/backup-state.js';
import { BACKUP_COLUMNS, firstBackup, inScope, scopeIds, toBackup, violates } from './backup-columns.js';
import { SqlWorkLeases } from './sql-work-leases.js';

/** The column with the status of each kind of work, and its value while the work waits. */
const STATUS: Readonly<Record<BackupWork, { readonly column: string; readonly waiting: string }>> = {
  dump: { column: 'b.status', waiting: 'queued' },
  proof: { column: 'b.verification_status', waiting: 'pending' },
};

/** A dump waits for a restore into the same service: it would hold a part of it, and either would end the other's sessions. */
const BESIDE_RESTORES: Readonly<Record<BackupWork, string>> = {
  dump: `not exists (select 1 from backups.restores r
    where r.target_id = b.service_id and (r.status = 'running' or r.leased_until >= clock_timestamp()))`,
  proof: 'true',
};

/** Base backups are kept, verified and removed as parts of their recovery window. */
const NO_BASE_BACKUP = "b.kind <> 'base'";

/** Stores backups in `backups.backups`, with the lease of the worker that works on them. */
@Injectable()
export class SqlBackupRepository extends BackupRepository {
  readonly #leases: SqlWorkLeases;

  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
    this.#leases = new SqlWorkLeases(transactions, 'backups.backups', "status not in ('expired', 'failed')");
  }

  async insert({ state }: Backup): Promise<void> {
    try {
      await this.transactions.writer.query(
        `insert into backups.backups (id, service_id, customer_id, kind, trigger, status, origin, store_key, created_at,
           size_bytes, sha256, database_version, started_at, finished_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          ...[state.id, state.serviceId, state.customerId, state.kind, state.trigger, state.status],
          ...[JSON.stringify(state.origin), state.storeKey, state.createdAt, state.sizeBytes, state.sha256],
          ...[state.databaseVersion, state.startedAt, state.finishedAt],
        ],
      );
    } catch (error) {
      throw violates(error, 'backups_under_way') ? new BackupInProgress() : error;
    }
  }

  async isBusy(serviceId: Uuid): Promise<boolean> {
    const rows: unknown[] = await this.transactions.writer.query(
      `select 1 from backups.backups where service_id = $1 and status in ('queued', 'running')`,
      [serviceId],
    );
    return rows.length > 0;
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<Backup | null> {
    const rows: BackupState[] = await this.transactions.reader.query(
      `select ${BACKUP_COLUMNS} from backups.backups b where b.id = $1 and ${inScope('$2')}`,
      [id, scopeIds(scope)],
    );
    return firstBackup(rows);
  }

  async getForUpdate(scope: OrganisationScope, id: Uuid): Promise<Backup | null> {
    const rows: BackupState[] = await this.transactions.writer.query(
      `select ${BACKUP_COLUMNS} from backups.backups b where b.id = $1 and ${inScope('$2')} for update`,
      [id, scopeIds(scope)],
    );
    return firstBackup(rows);
  }

  async update({ state }: Backup): Promise<void> {
    await this.transactions.writer.query(
      `update backups.backups set status = $2, origin = $3, size_bytes = $4, sha256 = $5, database_version = $6,
         inventory = $7, notes = $8, verification = $9, error_message = $10, started_at = $11, finished_at = $12,
         expires_at = $13 where id = $1`,
      [
        ...[state.id, state.status, JSON.stringify(state.origin), state.sizeBytes, state.sha256],
        ...[state.databaseVersion, jsonOf(state.inventory), JSON.stringify(state.notes), jsonOf(state.verification)],
        ...[state.errorMessage, state.startedAt, state.finishedAt, state.expiresAt],
      ],
    );
  }

  async list(
    scope: OrganisationScope,
    serviceId: Uuid,
    { status }: BackupFilter,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<BackupPage> {
    const where = `b.service_id = $1 and ${inScope('$2')} and ($3::text is null or b.status = $3)`;
    const given = [serviceId, scopeIds(scope), status];
    const [counted]: { total: number }[] = await this.transactions.reader.query(
      `select count(*)::integer as total from backups.backups b where ${where}`,
      given,
    );
    const rows: BackupState[] = await this.transactions.reader.query(
      `select ${BACKUP_COLUMNS} from backups.backups b where ${where} order by b.created_at desc, b.id desc
        offset $4 limit $5`,
      [...given, offset, limit],
    );
    return { backups: rows.map(toBackup), total: counted?.total ?? 0 };
  }

  async kept(serviceId: Uuid): Promise<readonly Backup[]> {
    const rows: BackupState[] = await this.transactions.reader.query(
      `select ${BACKUP_COLUMNS} from backups.backups b where b.service_id = $1 and b.status = 'succeeded' and ${NO_BASE_BACKUP}`,
      [serviceId],
    );
    return rows.map(toBackup);
  }

  /** Leaves out backups that are being restored or verified. */
  async dueToExpire(now: Date, limit: number): Promise<readonly Uuid[]> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      `select b.id from backups.backups b
        where b.status = 'succeeded' and ${NO_BASE_BACKUP} and b.expires_at <= $1 and b.verification_status is distinct from 'running'
          and not exists (select 1 from backups.restores r
                           where r.backup_id = b.id and r.status in ('queued', 'running'))
        order by b.expires_at limit $2`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }

  async storedBytes(scope: OrganisationScope, serviceId: Uuid): Promise<number> {
    const [row]: { bytes: number }[] = await this.transactions.reader.query(
      `select coalesce(sum(b.size_bytes), 0)::float8 as bytes from backups.backups b
        where b.service_id = $1 and b.status = 'succeeded' and ${inScope('$2')}`,
      [serviceId, scopeIds(scope)],
    );
    return row?.bytes ?? 0;
  }

  async lastScheduledAt(serviceId: Uuid): Promise<Date | null> {
    const rows: { at: Date | null }[] = await this.transactions.reader.query(
      `select max(b.created_at) as at from backups.backups b
        where b.service_id = $1 and b.trigger = 'schedule' and ${NO_BASE_BACKUP}`,
      [serviceId],
    );
    return rows[0]?.at ?? null;
  }

  async newestProofs(): Promise<readonly NewestProof[]> {
    return this.transactions.reader.query(
      `select b.service_id as "serviceId",
              extract(epoch from now() - max((b.verification ->> 'verifiedAt')::timestamptz))::float8 as "ageSeconds"
         from backups.backups b
        where b.status = 'succeeded' and ${NO_BASE_BACKUP} and b.verification_status = 'verified'
          and exists (select 1 from services.services s where s.id = b.service_id)
        group by b.service_id`,
    );
  }

  async servicesWithBackups(): Promise<readonly Uuid[]> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      `select distinct b.service_id as id from backups.backups b where b.status = 'succeeded' and ${NO_BASE_BACKUP}`,
    );
    return rows.map(({ id }) => id);
  }

  /** The advisory lock allows one claim of a kind at a time, so that the count of running work stays correct. */
  async claim(work: BackupWork, worker: Uuid, leaseMs: number, limit: number): Promise<Backup | null> {
    const { column, waiting } = STATUS[work];
    return this.transactions.run(async () => {
      await this.transactions.writer.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `backups ${work}`,
      ]);
      const rows: BackupState[] = await this.transactions.writer.query(
        `select ${BACKUP_COLUMNS} from backups.backups b
          where (${column} = '${waiting}' and ${BESIDE_RESTORES[work]}
                 or (${column} = 'running' and (b.leased_until is null or b.leased_until < clock_timestamp())))
            and (select count(*) from backups.backups b
                  where ${column} = 'running' and b.leased_until >= clock_timestamp()) < $1
          order by b.created_at limit 1 for update skip locked`,
        [limit],
      );
      const backup = firstBackup(rows);
      if (backup) await this.#leases.take(backup.id, worker, leaseMs);
      return backup;
    });
  }

  renew(id: Uuid, worker: Uuid, leaseMs: number): Promise<void> {
    return this.#leases.renew(id, worker, leaseMs);
  }

  assertHeld(id: Uuid, worker: Uuid): Promise<void> {
    return this.#leases.assertHeld(id, worker);
  }

  release(id: Uuid, worker: Uuid): Promise<void> {
    return this.#leases.release(id, worker);
  }
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
