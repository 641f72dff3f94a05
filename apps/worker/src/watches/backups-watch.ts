import { Injectable } from '@nestjs/common';
import { BackupAlarms, DumpRunner, ProofRunner, RestoreRunner, Retention, ScheduledBackups } from '#libs/backups';
import { Watch } from './watch.js';

const LOOK_EVERY_MS = 500;
const PLAN_EVERY_MS = 5_000;
const REVIEW_EVERY_MS = 10_000;
const RETAIN_EVERY_MS = 3_600_000;

/** A kind of work, claimed item by item. The database limits how many items are in progress at once. */
interface WorkSource {
  next(signal: AbortSignal): Promise<(() => Promise<void>) | null>;
}

/** Makes, verifies and restores backups on request, and deletes expired ones. */
@Injectable()
export class BackupsWatch extends Watch {
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly sources: readonly (readonly [string, WorkSource])[];
  private retainAt = 0;

  constructor(
    dumps: DumpRunner,
    proofs: ProofRunner,
    restores: RestoreRunner,
    private readonly retention: Retention,
    private readonly schedule: ScheduledBackups,
    private readonly alarms: BackupAlarms,
  ) {
    super();
    this.sources = [
      ['a backup', dumps],
      ['a restore', restores],
      ['a verification', proofs],
    ];
  }

  protected start(): readonly Promise<unknown>[] {
    return [
      this.repeat(LOOK_EVERY_MS, () => this.take()),
      this.repeat(PLAN_EVERY_MS, () => this.plan()),
      this.repeat(REVIEW_EVERY_MS, () => this.attempt('reviewing backups', () => this.alarms.review())),
      // On its own: a store that hangs must not hold up the schedule.
      this.repeat(PLAN_EVERY_MS, () => this.attempt('removing old backups', () => this.retention.expireDue())),
    ];
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.allSettled(this.underWay);
  }

  private async take(): Promise<void> {
    for (const [name, source] of this.sources)
      await this.attempt(`looking for ${name}`, async () => {
        for (let run = await source.next(this.signal); run; run = await source.next(this.signal)) this.begin(name, run);
      });
  }

  private begin(name: string, run: () => Promise<void>): void {
    const work = this.attempt(name, run).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private async plan(): Promise<void> {
    await this.attempt('asking for scheduled backups', () => this.schedule.askDue());
    await this.attempt('planning backups', () => this.schedule.mend());
    if (performance.now() >= this.retainAt) {
      this.retainAt = performance.now() + RETAIN_EVERY_MS;
      await this.attempt('deciding what to keep', () => this.retention.applyToAll());
    }
  }
}
