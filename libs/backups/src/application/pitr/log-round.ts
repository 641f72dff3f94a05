import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { StorageFigures } from '../ports/storage-figures.js';
import { WalRepository } from '../ports/wal-repository.js';
import { LogKeeping } from './log-keeping.js';
import { LogShipping } from './log-shipping.js';
import { Turns } from './turns.js';

const AT_ONCE = 8;
/** For longer the others do not wait for one that makes a large copy, or whose store hangs. */
const MAX_ROUND_MS = 15_000;

type Failed = (serviceId: Uuid, error: unknown) => void;

/** One look at every service whose history is archived, or is to be archived no more. */
@Injectable()
export class LogRound {
  private readonly turns = new Turns<Uuid>(AT_ONCE, MAX_ROUND_MS);

  constructor(
    private readonly streams: WalRepository,
    private readonly shipping: LogShipping,
    private readonly keeping: LogKeeping,
    private readonly figures: StorageFigures,
  ) {}

  /** @param failed told of a service whose turn failed; the others go on */
  async run(signal: AbortSignal, failed: Failed): Promise<void> {
    const wanted = new Map((await this.streams.wanted()).map(({ serviceId, isWanted }) => [serviceId, isWanted]));
    const turn = (id: Uuid) =>
      this.turn(id, wanted.get(id) ?? false, signal).catch((error: unknown) => failed(id, error));
    await this.turns.round([...wanted.keys()], turn, signal);
  }

  /** Whether everything that was shipped still lies in the store. Of a service that is being shipped, the next time. */
  async check(signal: AbortSignal, failed: Failed): Promise<void> {
    for (const { serviceId, isWanted } of await this.streams.wanted()) {
      if (signal.aborted) return;
      const look = () => this.streams.exclusively(serviceId, () => this.keeping.check(serviceId));
      if (isWanted) await look().catch((error: unknown) => failed(serviceId, error));
    }
  }

  private async turn(serviceId: Uuid, isWanted: boolean, signal: AbortSignal): Promise<void> {
    if (isWanted) await this.shipping.ship(serviceId, signal);
    else await this.shipping.stop(serviceId, signal);
    await this.keeping.keep(serviceId, signal);
    const stream = await this.streams.stream(serviceId);
    this.figures.reachesTo(serviceId, stream?.reachesTo ?? null, (stream?.problem ?? null) !== null);
  }
}
