import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { CustomerListMarks } from '#libs/customers';
import { FeedReader } from '#libs/services';
import { Clock } from '#kernel/clock';
import { HOUSEKEEPING_QUEUE } from '#platform/health/readiness';
import { IdempotencyStore } from '#platform/idempotency/idempotency-store';

const FORGET_ANSWERS = 'forget-expired-answers';
const MARK_CUSTOMERS = 'mark-customer-lists';
const FORGET_EVENTS = 'forget-told-events';

/** A deep page reads at most so many rows more than it shows. */
const MARK_SPACING = 1_000;

/** For so long a watcher that was away can be told what it missed. */
const FEED_LASTS_MS = 3_600_000;

/** The periodic chores that have no queue of their own. */
@Processor(HOUSEKEEPING_QUEUE)
export class HousekeepingProcessor extends WorkerHost implements OnApplicationBootstrap {
  private readonly chores: Readonly<Record<string, () => Promise<number | void>>>;

  constructor(
    @InjectQueue(HOUSEKEEPING_QUEUE) private readonly queue: Queue,
    answers: IdempotencyStore,
    marks: CustomerListMarks,
    feed: FeedReader,
    clock: Clock,
  ) {
    super();
    this.chores = {
      [FORGET_ANSWERS]: () => answers.forgetExpired(),
      [FORGET_EVENTS]: () => feed.forget(FEED_LASTS_MS),
      [MARK_CUSTOMERS]: () => marks.extend(clock.now(), MARK_SPACING),
    };
  }

  /** A scheduler has one entry in the queue, however many workers announce it. */
  async onApplicationBootstrap(): Promise<void> {
    await this.queue.upsertJobScheduler(FORGET_ANSWERS, { pattern: '17 * * * *' }, { name: FORGET_ANSWERS });
    await this.queue.upsertJobScheduler(FORGET_EVENTS, { every: 300_000 }, { name: FORGET_EVENTS });
    await this.queue.upsertJobScheduler(MARK_CUSTOMERS, { every: 60_000 }, { name: MARK_CUSTOMERS });
  }

  async process(job: Job): Promise<number | void> {
    const chore = this.chores[job.name];
    if (!chore) throw new Error(`unknown chore ${job.name}`);
    return chore();
  }
}
