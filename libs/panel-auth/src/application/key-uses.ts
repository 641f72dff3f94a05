import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiKeyRepository } from './ports/api-key-repository.js';

/** Gathers when keys were last used and writes it now and then, so that no request pays a write for it. */
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

  /** Writes what was gathered; on failure it is gathered again and goes with the next flush. */
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
