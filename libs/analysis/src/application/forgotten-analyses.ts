import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { AnalysisQueue } from './ports/analysis-queue.js';
import { AnalysisRepository } from './ports/analysis-repository.js';

const AT_ONCE = 100;

/** Sends analyses without a worker to the queue again: their job was lost, or their worker died. */
@Injectable()
export class ForgottenAnalyses {
  constructor(
    private readonly analyses: AnalysisRepository,
    private readonly queue: AnalysisQueue,
    private readonly clock: Clock,
  ) {}

  /** @returns how many there are; those that are already queued are not queued twice */
  async resend(): Promise<number> {
    const ids = await this.analyses.withoutWorker(this.clock.now(), AT_ONCE);
    if (ids.length > 0) await this.queue.send(ids);
    return ids.length;
  }
}
