import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { LegacyCredentialRepository } from '../application/ports/legacy-credentials.js';

@Injectable()
export class SqlLegacyCredentials extends LegacyCredentialRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async passwordHash(userId: Uuid): Promise<string | null> {
    const rows: { hash: string }[] = await this.transactions.reader.query(
      'select hash from panel_auth.legacy_passwords where user_id = $1',
      [userId],
    );
    return rows[0]?.hash ?? null;
  }

  async setPassword(userId: Uuid, hash: string): Promise<void> {
    await this.transactions.writer.query(
      `insert into panel_auth.legacy_passwords (user_id, hash) values ($1, $2)
       on conflict (user_id) do update set hash = excluded.hash`,
      [userId, hash],
    );
  }

  async addToken(userId: Uuid, sha256: Buffer, expiresAt: Date): Promise<void> {
    await this.transactions.writer.query(
      'insert into panel_auth.legacy_tokens (token_hash, user_id, expires_at) values ($1, $2, $3)',
      [sha256, userId, expiresAt],
    );
  }

  async takeToken(sha256: Buffer, now: Date): Promise<Uuid | null> {
    const [rows] = await this.transactions.writer.query<[{ userId: Uuid; expiresAt: Date }[], number]>(
      'delete from panel_auth.legacy_tokens where token_hash = $1 returning user_id as "userId", expires_at as "expiresAt"',
      [sha256],
    );
    const [token] = rows;
    return token && token.expiresAt.getTime() > now.getTime() ? token.userId : null;
  }
}
