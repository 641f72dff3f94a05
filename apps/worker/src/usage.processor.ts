import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { UsageRecomputation } from '#libs/billing';

export const USAGE_QUEUE = 'usage';

const RECOMPUTE = 'recompute-usage';

/** Live usage, once a day. The drafts stand in the database, so a job that is lost or comes twice does no harm. */
@Processor(USAGE_QUEUE)
export class UsageProcessor extends WorkerHost implements OnApplicationBootstrap {
  constructor(
    @InjectQueue(USAGE_QUEUE) private readonly queue: Queue,
    private readonly usage: UsageRecomputation,
  ) {
    super();
  }

  /** A scheduler has one entry in the queue, however many workers announce it. */
  async onApplicationBootstrap(): Promise<void> {
    await this.queue.upsertJobScheduler(RECOMPUTE, { pattern: '0 10 0 * * *', tz: 'UTC' }, { name: RECOMPUTE });
    // A worker that was down at midnight makes up for it.
    await this.queue.add(RECOMPUTE, {});
  }

  async process(job: Job): Promise<number> {
    if (job.name !== RECOMPUTE) throw new Error(`unknown chore ${job.name}`);
    return this.usage.run();
  }
}
