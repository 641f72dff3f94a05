import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { HOUSEKEEPING_QUEUE } from '#platform/health/readiness';
import { IdempotencyStore } from '#platform/idempotency/idempotency-store';

const FORGET_ANSWERS = 'forget-expired-answers';

/** The periodic chores that belong to no context. */
@Processor(HOUSEKEEPING_QUEUE)
export class HousekeepingProcessor extends WorkerHost implements OnApplicationBootstrap {
  constructor(
    @InjectQueue(HOUSEKEEPING_QUEUE) private readonly queue: Queue,
    private readonly answers: IdempotencyStore,
  ) {
    super();
  }

  /** A scheduler has one entry in the queue, however many workers announce it. */
  async onApplicationBootstrap(): Promise<void> {
    await this.queue.upsertJobScheduler(FORGET_ANSWERS, { pattern: '17 * * * *' }, { name: FORGET_ANSWERS });
  }

  async process(job: Job): Promise<number> {
    if (job.name !== FORGET_ANSWERS) throw new Error(`unknown chore ${job.name}`);
    return this.answers.forgetExpired();
  }
}
