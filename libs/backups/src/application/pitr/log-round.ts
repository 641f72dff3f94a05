import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { StorageFigures } from '../ports/storage-figures.js';
import { WalRepository } from '../ports/wal-repository.js';
import { BaseCopies } from './base-copies.js';
import { BaseProofs } from './base-proofs.js';
import { LogChecks } from './log-checks.js';
import { LogKeeping } from './log-keeping.js';
import { LogShipping } from './log-shipping.js';
import { Turns } from './turns.js';

const AT_ONCE = 8;
/** Only a few, because a base backup reads all data. */
const COPIES_AT_ONCE = 2;
/** After this time the next round starts, even if a service takes a large copy or its store hangs. */
const MAX_ROUND_MS = 15_000;

type Failed = (serviceId: Uuid, error: unknown) => void;

/** Ships and cleans up the logs of all services that are archived, or whose archiving has been switched off. */
@Injectable()
export class LogRound {
  private readonly turns = new Turns<Uuid>(AT_ONCE, MAX_ROUND_MS);
  private readonly copying = new Turns<Uuid>(COPIES_AT_ONCE, MAX_ROUND_MS);

  constructor(
    private readonly streams: WalRepository,
    private readonly shipping: LogShipping,
    private readonly copies: BaseCopies,
    private readonly proofs: BaseProofs,
    private readonly keeping: LogKeeping,
    private readonly checks: LogChecks,
    private readonly figures: StorageFigures,
  ) {}

  /** One round over all services. @param failed is called for each service that failed; the others go on */
  async run(signal: AbortSignal, failed: Failed): Promise<void> {
    const wanted = new Map((await this.streams.wanted()).map(({ serviceId, isWanted }) => [serviceId, isWanted]));
    const turn = (id: Uuid) =>
      this.turn(id, wanted.get(id) ?? false, signal).catch((error: unknown) => failed(id, error));
    const copy = (id: Uuid) => this.copies.takeIfDue(id, signal).catch((error: unknown) => failed(id, error));
    const archived = [...wanted].filter(([, isWanted]) => isWanted).map(([id]) => id);
    await Promise.all([this.turns.round([...wanted.keys()], turn, signal), this.copying.round(archived, copy, signal)]);
  }

  /** Whether everything that was shipped still lies in the store. @param by its size, or by all that it holds */
  async check(by: 'sizes' | 'contents', signal: AbortSignal, failed: Failed): Promise<void> {
    for (const { serviceId, isWanted } of await this.streams.wanted()) {
      if (signal.aborted) return;
      if (isWanted) await this.checks[by](serviceId, signal).catch((error: unknown) => failed(serviceId, error));
    }
  }

  private async turn(serviceId: Uuid, isWanted: boolean, signal: AbortSignal): Promise<void> {
    if (isWanted) await this.shipping.ship(serviceId, signal);
    else await this.shipping.stop(serviceId, signal);
    await this.keeping.keep(serviceId);
    await this.proofs.ask(serviceId);
    const stream = await this.streams.stream(serviceId);
    this.figures.reachesTo(serviceId, stream?.reachesTo ?? null, (stream?.problem ?? null) !== null);
    this.figures.copyFailures(serviceId, (await this.streams.attempts(serviceId)).failures);
  }
}
