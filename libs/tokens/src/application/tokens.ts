import { Injectable } from '@nestjs/common';
import { Partners, type PartnerAccount } from '#libs/partners';
import { Clock } from '#kernel/time/clock';
import { Conflict, Invalid, NotFound } from '#kernel/errors';
import { characterCount } from '#kernel/text/plain-text';
import { Randomness } from '#kernel/crypto/randomness';
import type { SecretText } from '#kernel/crypto/secret-text';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiToken } from '../domain/api-token.js';
import type { Scope } from '../domain/scope.js';
import type { TokenRecord } from '../domain/token-record.js';
import { TokenRepository } from './ports/token-repository.js';

/** A new token with its secret, which is not stored and cannot be read again. */
export interface CreatedToken {
  readonly record: TokenRecord;
  readonly secret: SecretText;
}

@Injectable()
export class Tokens {
  constructor(
    private readonly repository: TokenRepository,
    private readonly partners: Partners,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @param createdBy the calling token, or null if staff creates it
   * @throws Invalid for an empty label or an unknown partner
   * @throws Conflict for the operator, which acts through staff and cannot have tokens
   */
  create(
    account: PartnerAccount,
    input: { label: string; scope: Scope },
    createdBy: Uuid | null,
  ): Promise<CreatedToken> {
    return this.transactions.run(async () => {
      const label = input.label.trim();
      if (label === '' || characterCount(label) > 200) throw Invalid.field('label', 'must have 1 to 200 characters');
      const partner = await this.partners.find(account.partnerId);
      if (!partner) throw Invalid.field('partner', `refers to a partner that does not exist: ${account.partnerId}`);
      if (partner.type === 'operator') {
        throw new Conflict(
          'operator-has-no-tokens',
          'The operator acts through the staff CLI and cannot have API tokens.',
        );
      }
      const token = ApiToken.generate(this.randomness);
      const id = this.randomness.uuid();
      const record: TokenRecord = {
        id,
        partnerId: partner.id,
        label,
        tokenPrefix: token.prefix,
        scope: input.scope,
        createdBy: createdBy ?? id,
        createdAt: this.clock.now(),
        lastUsedAt: null,
        revokedAt: null,
      };
      await this.repository.insert(record, token.hash);
      return { record, secret: token.secret };
    });
  }

  list(account: PartnerAccount): Promise<TokenRecord[]> {
    return this.repository.list(account);
  }

  /**
   * Revokes a token for every request that starts after this returns. Revoking again changes nothing.
   * @throws NotFound if the account has no such token
   */
  revoke(account: PartnerAccount, id: Uuid): Promise<void> {
    return this.transactions.run(async () => {
      if (!(await this.repository.revoke(account, id, this.clock.now()))) throw new NotFound();
    });
  }

  ownerOf(id: Uuid): Promise<Uuid | null> {
    return this.repository.ownerOf(id);
  }
}
