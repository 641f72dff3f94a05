import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { TokenUsage } from '../application/ports/token-usage.js';

const FLUSH_EVERY_MS = 10_000;
const RESOLUTION_MS = 60_000;

/** Keeps the latest use of each token in memory and writes all of them in one statement every ten seconds. */
@Injectable()
export class BufferedTokenUsage extends TokenUsage implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(BufferedTokenUsage.name);
  private readonly written = new Map<Uuid, number>();
  private pending = new Map<Uuid, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** At most one write per minute and token: a use within a minute of the last written one is dropped. */
  note(tokenId: Uuid, at: Date): void {
    const last = this.written.get(tokenId);
    if (last === undefined || at.getTime() - last >= RESOLUTION_MS) this.pending.set(tokenId, at.getTime());
  }

  async flush(): Promise<void> {
    if (this.pending.size === 0) return;
    const batch = this.pending;
    this.pending = new Map();
    try {
      await this.transactions.run(() => this.write(batch));
      for (const [id, at] of batch) this.written.set(id, at);
      this.forgetOld();
    } catch (error) {
      // Nothing depends on these times, so a failed batch is simply retried with the next one.
      for (const [id, at] of batch) if (!this.pending.has(id)) this.pending.set(id, at);
      this.logger.warn(`token usage not written: ${String(error)}`);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async write(batch: ReadonlyMap<Uuid, number>): Promise<void> {
    // A short lock timeout, so that neither a request nor a shutdown waits for somebody's lock.
    await this.transactions.writer.query(`set local lock_timeout = '1s'`);
    await this.transactions.writer.query(
      `update tokens.api_tokens t set last_used_at = greatest(t.last_used_at, used.at)
         from unnest($1::uuid[], $2::timestamptz[]) as used (id, at) where t.id = used.id`,
      [[...batch.keys()], [...batch.values()].map((ms) => new Date(ms))],
    );
  }

  private forgetOld(): void {
    if (this.written.size <= 100_000) return;
    for (const id of [...this.written.keys()].slice(0, 50_000)) this.written.delete(id);
  }
}
