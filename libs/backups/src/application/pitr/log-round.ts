import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { StorageFigures } from '../ports/storage-figures.js';
import { WalRepository } from '../ports/wal-repository.js';
import { LogKeeping } from './log-keeping.js';
import { LogShipping } from './log-shipping.js';

/** One look at every service whose history is archived, or is to be archived no more. */
@Injectable()
export class LogRound {
  constructor(
    private readonly streams: WalRepository,
    private readonly shipping: LogShipping,
    private readonly keeping: LogKeeping,
    private readonly figures: StorageFigures,
  ) {}

  /** @param failed told of a service whose turn failed; the others go on */
  async run(signal: AbortSignal, failed: (serviceId: Uuid, error: unknown) => void): Promise<void> {
    for (const { serviceId, isWanted } of await this.streams.wanted()) {
      if (signal.aborted) return;
      try {
        if (isWanted) await this.shipping.ship(serviceId, signal);
        else await this.shipping.stop(serviceId, signal);
        await this.keeping.keep(serviceId, signal);
        const stream = await this.streams.stream(serviceId);
        this.figures.reachesTo(serviceId, stream?.reachesTo ?? null, (stream?.problem ?? null) !== null);
      } catch (error) {
        failed(serviceId, error);
      }
    }
  }

  /** Whether everything that was shipped still lies in the store. */
  async check(signal: AbortSignal, failed: (serviceId: Uuid, error: unknown) => void): Promise<void> {
    for (const { serviceId, isWanted } of await this.streams.wanted()) {
      if (signal.aborted) return;
      if (isWanted) await this.keeping.check(serviceId).catch((error: unknown) => failed(serviceId, error));
    }
  }
}
