import { InjectQueue, Processor } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { CustomerListMarks } from '#libs/customers';
import { FeedReader } from '#libs/services';
import { Clock } from '#kernel/time/clock';
import { HOUSEKEEPING_QUEUE } from '#platform/health/readiness';
import { IdempotencyStore } from '#platform/idempotency/idempotency-store';
import { ChoreProcessor, HOUR_MS } from './chores.js';

/** Maximum number of extra rows that a page at a large offset reads. */
const MARK_SPACING = 1_000;

/** How long a client may be disconnected and still get the events it missed. */
const FEED_LASTS_MS = HOUR_MS;

/** The chores without a queue of their own. */
@Processor(HOUSEKEEPING_QUEUE)
export class HousekeepingProcessor extends ChoreProcessor {
  constructor(
    @InjectQueue(HOUSEKEEPING_QUEUE) queue: Queue,
    answers: IdempotencyStore,
    marks: CustomerListMarks,
    feed: FeedReader,
    clock: Clock,
  ) {
    super(queue, {
      'forget-expired-answers': { period: HOUR_MS, pattern: '0 17 * * * *', run: () => answers.forgetExpired() },
      'forget-told-events': { period: 300_000, run: () => feed.forget(FEED_LASTS_MS) },
      'mark-customer-lists': { period: 60_000, run: () => marks.extend(clock.now(), MARK_SPACING) },
    });
  }
}
