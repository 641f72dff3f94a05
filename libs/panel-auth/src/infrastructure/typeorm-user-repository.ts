import { Injectable } from '@nestjs/common';
import { Conflict } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { violates } from '#platform/database/database-errors';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { UserRepository } from '../application/ports/user-repository.js';
import type { ProviderIdentity, User } from '../domain/user.js';
import { UserRow } from './user.row.js';

const BY_IDENTITY = {
  name: 'user-by-identity',
  text: `select id, email, role, issuer, subject, disabled_at as "disabledAt", created_at as "createdAt"
           from panel_auth.users where issuer = $1 and subject = $2`,
};

@Injectable()
export class TypeOrmUserRepository extends UserRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async get(id: Uuid): Promise<User | null> {
    return toDomain(await this.transactions.reader.findOneBy(UserRow, { id }));
  }

  async getForUpdate(id: Uuid): Promise<User | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return toDomain(await this.transactions.writer.findOne(UserRow, { where: { id }, lock }));
  }

  async findByIdentity({ issuer, subject }: ProviderIdentity): Promise<User | null> {
    const [row] = await this.transactions.atOnce<UserRow>(BY_IDENTITY, [issuer, subject]);
    return toDomain(row ?? null);
  }

  async findByEmail(email: string): Promise<readonly User[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return (await this.transactions.reader.find(UserRow, { where: { email }, order })).map(toUser);
  }

  async list(): Promise<readonly User[]> {
    return (await this.transactions.reader.find(UserRow, { order: { email: 'ASC', id: 'ASC' } })).map(toUser);
  }

  async insert(user: User): Promise<void> {
    try {
      await this.transactions.writer.insert(UserRow, toRow(user));
    } catch (error) {
      if (violates(error, 'users_identity') || violates(error, 'users_awaited_email')) {
        throw new Conflict('user-exists', 'That user already exists.', { cause: error });
      }
      throw error;
    }
  }

  async update(user: User): Promise<void> {
    const { id, createdAt: _, ...changes } = toRow(user);
    await this.transactions.writer.update(UserRow, { id }, changes);
  }
}

function toRow({ identity, ...user }: User): UserRow {
  return { ...user, issuer: identity?.issuer ?? null, subject: identity?.subject ?? null };
}

export function toUser({ issuer, subject, ...row }: UserRow): User {
  return { ...row, identity: issuer !== null && subject !== null ? { issuer, subject } : null };
}

function toDomain(row: UserRow | null): User | null {
  return row && toUser(row);
}
