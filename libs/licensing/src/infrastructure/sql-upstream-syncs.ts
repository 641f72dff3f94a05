import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { UpstreamSyncs, type UpstreamSyncRequest } from '../application/ports/upstream-syncs.js';

interface Row {
  readonly license_id: Uuid;
  readonly request_id: Uuid;
  readonly attempts: number;
}

@Injectable()
export class SqlUpstreamSyncs extends UpstreamSyncs {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  async request(licenseId: Uuid, now: Date): Promise<void> {
    await this.transactions.writer.query(
      `insert into licensing.upstream_syncs (license_id, request_id, due_at, attempts) values ($1, $2, $3, 0)
       on conflict (license_id) do update
         set request_id = excluded.request_id, due_at = excluded.due_at, attempts = 0`,
      [licenseId, this.randomness.uuid(), now],
    );
  }

  async take(now: Date, retryAt: Date, limit: number): Promise<UpstreamSyncRequest[]> {
    const [rows] = await this.transactions.writer.query<[Row[], number]>(
      `update licensing.upstream_syncs s set due_at = $2
         from (select license_id from licensing.upstream_syncs where due_at <= $1
                order by due_at limit $3 for update skip locked) due
        where s.license_id = due.license_id
       returning s.license_id, s.request_id, s.attempts`,
      [now, retryAt, limit],
    );
    return rows.map(({ license_id, request_id, attempts }) => ({
      licenseId: license_id,
      requestId: request_id,
      attempts,
    }));
  }

  async done({ licenseId, requestId }: UpstreamSyncRequest, ownerSequence: number): Promise<void> {
    await this.transactions.writer.query(
      'delete from licensing.upstream_syncs where license_id = $1 and request_id = $2',
      [licenseId, requestId],
    );
    await this.transactions.writer.query(
      `update licensing.transfers set metadata_sync = 'synced'
        where license_id = $1 and owner_sequence <= $2 and metadata_sync <> 'synced'`,
      [licenseId, ownerSequence],
    );
  }

  async postpone({ licenseId, requestId }: UpstreamSyncRequest, until: Date): Promise<void> {
    await this.transactions.writer.query(
      'update licensing.upstream_syncs set due_at = $3 where license_id = $1 and request_id = $2',
      [licenseId, requestId, until],
    );
  }

  async failed({ licenseId, requestId }: UpstreamSyncRequest, retryAt: Date, givenUp: boolean): Promise<void> {
    await this.transactions.writer.query(
      `update licensing.upstream_syncs set due_at = $3, attempts = attempts + 1
        where license_id = $1 and request_id = $2`,
      [licenseId, requestId, retryAt],
    );
    if (!givenUp) return;
    await this.transactions.writer.query(
      `update licensing.transfers set metadata_sync = 'failed' where license_id = $1 and metadata_sync = 'pending'`,
      [licenseId],
    );
  }
}
