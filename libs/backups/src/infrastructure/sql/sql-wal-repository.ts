import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { type CopyAttempts, NO_FAILURES } from '../../domain/pitr/copy-attempts.js';
import {
  type LogWork,
  type NewBase,
  WalRepository,
  type StoredBase,
  type StoredSegment,
  type WalStream,
} from '../../application/ports/wal-repository.js';

const LEASE_MS = 60_000;
const RENEW_MS = 15_000;

/** Records of archived logs in the `backups.wal_*` tables, with one lease per service and kind of work. */
@Injectable()
export class SqlWalRepository extends WalRepository {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  async stream(serviceId: Uuid): Promise<WalStream | null> {
    const [row] = await this.read<WalStream>(
      `select service_id as "serviceId", customer_id as "customerId", next_segment as "nextSegment",
              quiet_xid as "quietXid", reaches_to as "reachesTo", problem, needs_base as "needsBase"
         from backups.wal_streams where service_id = $1`,
      serviceId,
    );
    return row ?? null;
  }

  async save(stream: WalStream): Promise<void> {
    const { serviceId, customerId, nextSegment, quietXid, reachesTo, problem, needsBase } = stream;
    await this.write(
      `insert into backups.wal_streams (service_id, customer_id, next_segment, quiet_xid, reaches_to, problem, needs_base)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (service_id) do update set next_segment = excluded.next_segment, quiet_xid = excluded.quiet_xid,
         reaches_to = excluded.reaches_to, problem = excluded.problem, needs_base = excluded.needs_base`,
      [serviceId, customerId, nextSegment, quietXid, reachesTo, problem, needsBase],
    );
  }

  async attempts(serviceId: Uuid): Promise<CopyAttempts> {
    const [row] = await this.read<CopyAttempts>(
      `select copy_failures as failures, copy_failed_at as "failedAt", copy_problem as reason
         from backups.wal_streams where service_id = $1`,
      serviceId,
    );
    return row ?? NO_FAILURES;
  }

  async saveAttempts(serviceId: Uuid, { failures, failedAt, reason }: CopyAttempts): Promise<void> {
    await this.write(
      `update backups.wal_streams set copy_failures = $2, copy_failed_at = $3, copy_problem = $4 where service_id = $1`,
      [serviceId, failures, failedAt, reason],
    );
  }

  bases(serviceId: Uuid): Promise<readonly StoredBase[]> {
    return this.read<StoredBase>(
      `select w.id, w.store_key as "storeKey", w.sha256, w.size_bytes::float8 as bytes, w.first_segment as "firstSegment",
              w.ended_at as "endedAt", case when b.status = 'failed' then 'failed' else b.verification_status end as proof,
              (b.verification ->> 'verifiedAt')::timestamptz as "verifiedAt", b.expires_at as "expiresAt"
         from backups.wal_bases w left join backups.backups b on b.id = w.id
        where w.service_id = $1 order by w.ended_at`,
      serviceId,
    );
  }

  async addBase(serviceId: Uuid, base: NewBase): Promise<void> {
    const { id, storeKey, sha256, bytes, firstSegment, endedAt } = base;
    await this.write(
      `insert into backups.wal_bases (id, service_id, store_key, sha256, size_bytes, first_segment, ended_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, serviceId, storeKey, sha256, bytes, firstSegment, endedAt],
    );
  }

  async removeBase(id: Uuid): Promise<void> {
    await this.write('delete from backups.wal_bases where id = $1', [id]);
  }

  segments(serviceId: Uuid): Promise<readonly StoredSegment[]> {
    return this.read<StoredSegment>(
      `select name, next, sha256, size_bytes::float8 as bytes, marked_at as "markedAt"
         from backups.wal_segments where service_id = $1 order by name collate "C"`,
      serviceId,
    );
  }

  /** The segment may be recorded already, by a worker that died before it had saved the stream: the row is replaced. */
  async addSegment(serviceId: Uuid, { name, next, sha256, bytes, markedAt }: StoredSegment): Promise<void> {
    await this.write(
      `insert into backups.wal_segments (service_id, name, next, sha256, size_bytes, marked_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (service_id, name) do update set next = excluded.next, sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
         marked_at = coalesce(wal_segments.marked_at, excluded.marked_at)`,
      [serviceId, name, next, sha256, bytes, markedAt],
    );
  }

  async removeSegment(serviceId: Uuid, name: string): Promise<void> {
    await this.write('delete from backups.wal_segments where service_id = $1 and name = $2', [serviceId, name]);
  }

  async wanted(): Promise<readonly { serviceId: Uuid; isWanted: boolean }[]> {
    return this.transactions.reader.query(
      `select k.service_id as "serviceId", coalesce(p.pitr, false) and s.id is not null as "isWanted"
         from (select service_id from backups.policies where pitr
               union select service_id from backups.wal_streams
               union select service_id from backups.wal_bases
               union select service_id from backups.wal_segments) k
         left join backups.policies p on p.service_id = k.service_id
         left join services.services s on s.id = k.service_id`,
    );
  }

  async remove(serviceId: Uuid): Promise<void> {
    await this.write('delete from backups.wal_streams where service_id = $1', [serviceId]);
  }

  async exclusively(serviceId: Uuid, kind: LogWork, work: () => Promise<void>): Promise<boolean> {
    const worker = this.randomness.uuid();
    const lease = () => this.lease(serviceId, kind, worker);
    if (!(await lease())) return false;
    const renewal = setInterval(() => void lease().catch(() => false), RENEW_MS);
    try {
      await work();
      return true;
    } finally {
      clearInterval(renewal);
      await this.write('delete from backups.wal_leases where service_id = $1 and work = $2 and worker = $3', [
        ...[serviceId, kind, worker],
      ]);
    }
  }

  private async lease(serviceId: Uuid, kind: LogWork, worker: Uuid): Promise<boolean> {
    const rows = await this.write<unknown[]>(
      `insert into backups.wal_leases (service_id, work, worker, leased_until)
       values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')
       on conflict (service_id, work) do update set worker = excluded.worker, leased_until = excluded.leased_until
         where wal_leases.worker = excluded.worker or wal_leases.leased_until < clock_timestamp()
       returning 1`,
      [serviceId, kind, worker, LEASE_MS],
    );
    return rows.length > 0;
  }

  private read<T>(sql: string, serviceId: Uuid): Promise<T[]> {
    return this.transactions.reader.query<T[]>(sql, [serviceId]);
  }

  private write<T>(sql: string, parameters: unknown[]): Promise<T> {
    return this.transactions.run(() => this.transactions.writer.query<T>(sql, parameters));
  }
}
