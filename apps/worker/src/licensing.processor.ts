import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { LicenseReconciliation, ListMarks, TrialExpiry, UpstreamSync } from '#libs/licensing';
import { Clock } from '#kernel/clock';

export const LICENSING_QUEUE = 'licensing';

const SYNC = 'sync-license-service';
const RECONCILE = 'reconcile-licenses';
const EXPIRE = 'expire-trials';
const MARK = 'mark-license-lists';

/** A deep page reads at most so many rows more than it shows. */
const MARK_SPACING = 1_000;

/** What licensing does in the background. Each chore finds its work in the database, so a lost job loses nothing. */
@Processor(LICENSING_QUEUE)
export class LicensingProcessor extends WorkerHost implements OnApplicationBootstrap {
  private readonly chores: Readonly<Record<string, () => Promise<number | void>>>;

  constructor(
    @InjectQueue(LICENSING_QUEUE) private readonly queue: Queue,
    sync: UpstreamSync,
    reconciliation: LicenseReconciliation,
    expiry: TrialExpiry,
    marks: ListMarks,
    clock: Clock,
  ) {
    super();
    this.chores = {
      [SYNC]: () => sync.syncDue(),
      [RECONCILE]: () => reconciliation.reconcile(),
      [EXPIRE]: () => expiry.expireDue(),
      [MARK]: () => marks.extend(clock.now(), MARK_SPACING),
    };
  }

  /** A scheduler has one entry in the queue, however many workers announce it. */
  async onApplicationBootstrap(): Promise<void> {
    await this.queue.upsertJobScheduler(SYNC, { every: 2_000 }, { name: SYNC });
    await this.queue.upsertJobScheduler(RECONCILE, { every: 10_000 }, { name: RECONCILE });
    await this.queue.upsertJobScheduler(EXPIRE, { pattern: '0 1 0 * * *', tz: 'UTC' }, { name: EXPIRE });
    await this.queue.upsertJobScheduler(MARK, { every: 60_000 }, { name: MARK });
    await this.queue.add(RECONCILE, {});
    await this.queue.add(EXPIRE, {});
  }

  async process(job: Job): Promise<number | void> {
    const chore = this.chores[job.name];
    if (!chore) throw new Error(`unknown chore ${job.name}`);
    return chore();
  }
}
