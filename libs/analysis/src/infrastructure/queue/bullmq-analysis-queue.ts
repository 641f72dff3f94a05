import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Uuid } from '#kernel/crypto/uuid';
import { AnalysisQueue } from '../../application/ports/analysis-queue.js';

export const ANALYSES_QUEUE = 'analyses';

export interface AnalysisJob {
  readonly analysisId: Uuid;
}

@Injectable()
export class BullmqAnalysisQueue extends AnalysisQueue {
  constructor(@InjectQueue(ANALYSES_QUEUE) private readonly queue: Queue<AnalysisJob>) {
    super();
  }

  /** Ended jobs are removed at once, because the queue would refuse a job with the same id. */
  async send(analysisIds: readonly Uuid[]): Promise<void> {
    await this.queue.addBulk(
      analysisIds.map((analysisId) => ({
        name: 'analyse',
        data: { analysisId },
        opts: { jobId: analysisId, removeOnComplete: true, removeOnFail: true },
      })),
    );
  }
}
