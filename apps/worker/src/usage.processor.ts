import { InjectQueue, Processor } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { UsageRecomputation } from '#libs/billing';
import { ChoreProcessor, DAY_MS } from './chores.js';

export const USAGE_QUEUE = 'usage';

/** Computes live usage once a day. A worker that was down at midnight catches up at its start. */
@Processor(USAGE_QUEUE)
export class UsageProcessor extends ChoreProcessor {
  constructor(@InjectQueue(USAGE_QUEUE) queue: Queue, usage: UsageRecomputation) {
    super(queue, {
      'recompute-usage': { period: DAY_MS, pattern: '0 10 0 * * *', atStart: true, run: () => usage.run() },
    });
  }
}
