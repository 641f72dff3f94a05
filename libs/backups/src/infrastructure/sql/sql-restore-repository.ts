import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { type RestorePage, RestoreRepository } from '../../application/ports/restore-repository.js';
import { RestoreInProgress } from '../../domain/backup-errors.js';
import { Restore, type RestoreState } from '../../domain/restore.js';
import { scopeIds, violates } from './backup-columns.js';
import { SqlWorkLeases } from './sql-work-leases.js';

const COLUMNS = `r.id, r.backup_id as "backupId", r.service_id as "serviceId", r.customer_id as "customerId",
  r.target_id as "targetId", r.deployment_id as "deploymentId", r.into_service as "into",
  r.safety_backup_id as "safetyBackupId", r.recover_to as "recoverTo", r.status, r.error_message as "errorMessage", r.actor,
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt"`;

/** SQL condition: neither the deployment nor the backup that the restore waits for is still queued or running. */
const READY = `
  not exists (select 1 from services.deployments d where d.id = r.deployment_id and d.status in ('queued', 'running'))
  and not exists (select 1 from backups.backups s where s.id = r.safety_backup_id and s.status in ('queued', 'running'))
  and not exists (select 1 from backups.backups b
    where b.service_id = r.target_id and b.status in ('queued', 'running') and b.leased_until >= clock_timestamp())`;

@Injectable()
export class SqlRestoreRepository extends RestoreRepository {
  readonly #leases: SqlWorkLeases;

  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
    this.#leases = new SqlWorkLeases(transactions, 'backups.restores');
  }

  async insert({ state }: Restore): Promise<void> {
    try {
      await this.transactions.writer.query(
        `insert into backups.restores (id, backup_id, service_id, customer_id, target_id, deployment_id, into_service,
           safety_backup_id, status, actor, created_at, recover_to)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          ...[state.id, state.backupId, state.serviceId, state.customerId, state.targetId, state.deploymentId],
          ...[state.into, state.safetyBackupId, state.status, JSON.stringify(state.actor), state.createdAt],
          state.recoverTo,
        ],
      );
    } catch (error) {
      throw violates(error, 'restores_under_way') ? new RestoreInProgress() : error;
    }
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<Restore | null> {
    const rows: RestoreState[] = await this.transactions.reader.query(
      `select ${COLUMNS} from backups.restores r
        where r.id = $1 and ($2::uuid[] is null or r.customer_id = any($2::uuid[]))`,
      [id, scopeIds(scope)],
    );
    return rows[0] ? Restore.restore(rows[0]) : null;
  }

  async list(
    scope: OrganisationScope,
    serviceId: Uuid,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<RestorePage> {
    const where = `$1 in (r.service_id, r.target_id) and ($2::uuid[] is null or r.customer_id = any($2::uuid[]))`;
    const given = [serviceId, scopeIds(scope)];
    const [counted]: { total: number }[] = await this.transactions.reader.query(
      `select count(*)::integer as total from backups.restores r where ${where}`,
      given,
    );
    const rows: RestoreState[] = await this.transactions.reader.query(
      `select ${COLUMNS} from backups.restores r where ${where} order by r.created_at desc, r.id desc
        offset $3 limit $4`,
      [...given, offset, limit],
    );
    return { restores: rows.map((row) => Restore.restore(row)), total: counted?.total ?? 0 };
  }

  async update({ state }: Restore): Promise<void> {
    await this.transactions.writer.query(
      'update backups.restores set status = $2, error_message = $3, started_at = $4, finished_at = $5 where id = $1',
      [state.id, state.status, state.errorMessage, state.startedAt, state.finishedAt],
    );
  }

  /** The advisory locks allow one claim at a time, of restores and of the dumps that they wait for. */
  async claim(worker: Uuid, leaseMs: number, limit: number): Promise<Restore | null> {
    return this.transactions.run(async () => {
      for (const what of ['backups restore', 'backups dump'])
        await this.transactions.writer.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
      const rows: RestoreState[] = await this.transactions.writer.query(
        `select ${COLUMNS} from backups.restores r
          where ((r.status = 'queued' and ${READY})
                 or (r.status = 'running' and (r.leased_until is null or r.leased_until < clock_timestamp())))
            and (select count(*) from backups.restores o
                  where o.status = 'running' and o.leased_until >= clock_timestamp()) < $1
          order by r.created_at limit 1 for update skip locked`,
        [limit],
      );
      if (!rows[0]) return null;
      await this.#leases.take(rows[0].id, worker, leaseMs);
      return Restore.restore(rows[0]);
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
