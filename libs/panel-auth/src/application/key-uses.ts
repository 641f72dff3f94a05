import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiKeyRepository } from './ports/api-key-repository.js';

/** Collects when keys were last used and writes it periodically, so that requests do not pay for the write. */
@Injectable()
export class KeyUses {
  private pending = new Map<Uuid, Date>();

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly transactions: Transactions,
  ) {}

  note(keyId: Uuid, at: Date): void {
    this.pending.set(keyId, at);
  }

  /** Writes the collected uses; on failure they go with the next flush. */
  async flush(): Promise<void> {
    const uses = this.pending;
    if (uses.size === 0) return;
    this.pending = new Map();
    try {
      await this.transactions.run(() => this.keys.noteUses(uses));
    } catch (error) {
      for (const [keyId, at] of uses) if (!this.pending.has(keyId)) this.pending.set(keyId, at);
      throw error;
    }
  }
}
