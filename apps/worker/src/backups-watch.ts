import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DumpRunner, ProofRunner, RestoreRunner, Retention, ScheduledBackups } from '#libs/backups';

const LOOK_EVERY_MS = 500;
const PLAN_EVERY_MS = 5_000;
const RETAIN_EVERY_MS = 3_600_000;
const QUIET_MS = 30_000;

/** A kind of work, taken up piece by piece. How much of it is under way at once the database decides. */
interface WorkSource {
  next(signal: AbortSignal): Promise<(() => Promise<void>) | null>;
}

/** Makes, proves and restores backups as they are asked for, and lets old ones expire. */
@Injectable()
export class BackupsWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('BackupsWatch');
  private readonly end = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private readonly sources: readonly (readonly [string, WorkSource])[];
  private loops: Promise<void>[] = [];
  private saidAt = -Infinity;

  constructor(
    dumps: DumpRunner,
    proofs: ProofRunner,
    restores: RestoreRunner,
    private readonly retention: Retention,
    private readonly schedule: ScheduledBackups,
  ) {
    this.sources = [
      ['a backup', dumps],
      ['a restore', restores],
      ['a verification', proofs],
    ];
  }

  onApplicationBootstrap(): void {
    this.loops = [this.work(), this.plan()];
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await Promise.allSettled([...this.loops, ...this.underWay]);
  }

  private async work(): Promise<void> {
    while (!this.end.signal.aborted) {
      for (const [name, source] of this.sources)
        await this.attempt(`looking for ${name}`, async () => {
          for (let run = await source.next(this.end.signal); run; run = await source.next(this.end.signal))
            this.begin(name, run);
        });
      await this.pause(LOOK_EVERY_MS);
    }
  }

  private begin(name: string, run: () => Promise<void>): void {
    const work = this.attempt(name, run).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private async plan(): Promise<void> {
    let retainAt = 0;
    while (!this.end.signal.aborted) {
      await this.attempt('asking for scheduled backups', () => this.schedule.askDue());
      await this.attempt('planning backups', () => this.schedule.mend());
      if (performance.now() >= retainAt) {
        retainAt = performance.now() + RETAIN_EVERY_MS;
        await this.attempt('deciding what to keep', () => this.retention.applyToAll());
      }
      await this.attempt('removing old backups', () => this.retention.expireDue());
      await this.pause(PLAN_EVERY_MS);
    }
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.end.signal }).catch(() => undefined);
  }

  /** Whatever fails is tried again at the next turn; one line in half a minute tells of it. */
  private async attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.end.signal.aborted || performance.now() - this.saidAt < QUIET_MS) return;
      this.saidAt = performance.now();
      this.logger.warn(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
