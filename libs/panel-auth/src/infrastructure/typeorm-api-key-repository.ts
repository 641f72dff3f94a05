import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { ApiKeyRepository, type KeyOwner } from '../application/ports/api-key-repository.js';
import type { ActiveKeyCounts, ApiKey } from '../domain/api-key.js';
import { ApiKeyRow } from './api-key.row.js';

@Injectable()
export class TypeOrmApiKeyRepository extends ApiKeyRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert(key: ApiKey, sha256: Buffer): Promise<void> {
    const { scopes, permissionsDeny, ...rest } = key;
    const lists = { scopes: scopes && [...scopes], permissionsDeny: [...permissionsDeny] };
    await this.transactions.writer.insert(ApiKeyRow, { ...rest, ...lists, keyHash: sha256 });
  }

  list({ creatorId, boundTo }: KeyOwner): Promise<readonly ApiKey[]> {
    return this.transactions.reader.find(ApiKeyRow, {
      where: boundTo === null ? { creatorId } : { creatorId, organisationId: boundTo },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  async revoke(id: Uuid, { creatorId, boundTo }: KeyOwner, at: Date): Promise<boolean> {
    const [, known] = await this.transactions.writer.query<[unknown, number]>(
      `update panel_auth.api_keys set revoked_at = coalesce(revoked_at, $4)
        where id = $1 and creator_id = $2 and ($3::uuid is null or organisation_id = $3)`,
      [id, creatorId, boundTo, at],
    );
    return known > 0;
  }

  async countActive(creatorId: Uuid, organisationId: Uuid | null, now: Date): Promise<ActiveKeyCounts> {
    const [counts] = await this.transactions.writer.query<[ActiveKeyCounts]>(
      `select count(*) filter (where creator_id = $1)::int as "ofUser",
              case when $2::uuid is not null then count(*) filter (where organisation_id = $2)::int end
                as "ofOrganisation"
         from panel_auth.api_keys
        where (creator_id = $1 or organisation_id = $2)
          and revoked_at is null and (expires_at is null or expires_at > $3)`,
      [creatorId, organisationId, now],
    );
    return counts;
  }

  async noteUses(uses: ReadonlyMap<Uuid, Date>): Promise<void> {
    await this.transactions.writer.query(
      `update panel_auth.api_keys k set last_used_at = greatest(k.last_used_at, used.at)
         from unnest($1::uuid[], $2::timestamptz[]) as used (id, at) where k.id = used.id`,
      [[...uses.keys()], [...uses.values()]],
    );
  }
}
