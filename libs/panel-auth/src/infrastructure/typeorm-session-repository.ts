import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  arraysOf,
  namesOf,
  relationOf,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { SessionRepository, SignInLedger, type StoredSession } from '../application/ports/session-repository.js';
import type { Session } from '../domain/session.js';
import { SessionRow } from './session.row.js';

const OPENED: Columns<StoredSession> = {
  id: ['uuid', ({ session }) => session.id],
  user_id: ['uuid', ({ session }) => session.userId],
  cookie_hash: ['bytea', ({ sha256 }) => sha256],
  binding_hash: ['bytea', ({ bindingSha256 }) => bindingSha256],
  sealed_tokens: ['bytea', ({ sealedTokens }) => sealedTokens],
  user_agent: ['text', ({ session }) => session.userAgent],
  created_at: ['timestamptz', ({ session }) => session.createdAt],
  expires_at: ['timestamptz', ({ session }) => session.expiresAt],
};
const OPEN: SetStatement<StoredSession> = {
  name: 'open-sessions',
  text: `insert into panel_auth.sessions (${namesOf(OPENED)})
         select ${namesOf(OPENED)} from ${relationOf(OPENED)} as opened`,
  values: arraysOf(OPENED),
};

@Injectable()
export class TypeOrmSessionRepository extends SessionRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert(stored: StoredSession): Promise<void> {
    await this.transactions.ask(OPEN, stored);
  }

  list(userId: Uuid, now: Date): Promise<readonly Session[]> {
    return this.transactions.reader.find(SessionRow, {
      where: { userId, expiresAt: MoreThan(now) },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  async delete(id: Uuid, userId: Uuid): Promise<boolean> {
    return (await this.transactions.writer.delete(SessionRow, { id, userId })).affected === 1;
  }

  async take(sha256: Buffer, presentedBinding: Buffer | null): Promise<StoredSession | null> {
    const [rows] = await this.transactions.writer.query<[SessionRow[], number]>(
      `delete from panel_auth.sessions
        where cookie_hash = $1 and (binding_hash is null or binding_hash = $2)
       returning id, user_id as "userId", user_agent as "userAgent", created_at as "createdAt",
                 expires_at as "expiresAt", binding_hash as "bindingHash", sealed_tokens as "sealedTokens"`,
      [sha256, presentedBinding],
    );
    const [row] = rows;
    if (!row) return null;
    const { bindingHash: bindingSha256, sealedTokens, ...session } = row;
    return { session, sha256, bindingSha256, sealedTokens };
  }

  async deleteExpired(now: Date): Promise<number> {
    return deleteBefore(this.transactions, 'sessions', now);
  }
}

const CONSUME = {
  name: 'consume-sign-in',
  text: `insert into panel_auth.used_sign_ins (state_hash, expires_at) values ($1, $2)
         on conflict do nothing returning true`,
};

@Injectable()
export class SqlSignInLedger extends SignInLedger {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async consume(stateSha256: Buffer, expiresAt: Date): Promise<boolean> {
    return (await this.transactions.atOnce(CONSUME, [stateSha256, expiresAt])).length > 0;
  }

  async deleteExpired(now: Date): Promise<number> {
    return deleteBefore(this.transactions, 'used_sign_ins', now);
  }
}

async function deleteBefore(
  transactions: TypeOrmTransactions,
  table: 'sessions' | 'used_sign_ins',
  now: Date,
): Promise<number> {
  const [, deleted] = await transactions.writer.query<[unknown, number]>(
    `delete from panel_auth.${table} where expires_at <= $1`,
    [now],
  );
  return deleted;
}
