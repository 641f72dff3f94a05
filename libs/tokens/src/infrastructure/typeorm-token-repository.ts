import { Injectable } from '@nestjs/common';
import type { PartnerAccount } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { TokenRepository } from '../application/ports/token-repository.js';
import type { TokenRecord } from '../domain/token-record.js';
import { TokenRow } from './token.row.js';

@Injectable()
export class TypeOrmTokenRepository extends TokenRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert(token: TokenRecord, hash: Buffer): Promise<void> {
    await this.transactions.writer.insert(TokenRow, { ...token, tokenHash: hash });
  }

  list(account: PartnerAccount): Promise<TokenRecord[]> {
    return this.transactions.reader.find(TokenRow, {
      where: { partnerId: account.partnerId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  async revoke(account: PartnerAccount, id: Uuid, at: Date): Promise<boolean> {
    const [, known] = await this.transactions.writer.query<[unknown, number]>(
      `update tokens.api_tokens set revoked_at = coalesce(revoked_at, $3) where id = $2 and partner_id = $1`,
      [account.partnerId, id, at],
    );
    return known > 0;
  }

  async ownerOf(id: Uuid): Promise<Uuid | null> {
    const row = await this.transactions.reader.findOneBy(TokenRow, { id });
    return row?.partnerId ?? null;
  }
}
