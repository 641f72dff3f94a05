import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { ANALYSES_QUEUE, AnalysisRunner, ForgottenAnalyses, type AnalysisJob } from '#libs/analysis';

const DEAD_AFTER_MS = 15_000;
const LOOK_EVERY_MS = 5_000;
/** A self-hosted model answers one question at a time. */
const AT_ONCE = 2;

/** Runs analyses. Those that no worker has, because their job was lost or their worker died, are queued again. */
@Processor(ANALYSES_QUEUE, { concurrency: AT_ONCE, lockDuration: DEAD_AFTER_MS, stalledInterval: LOOK_EVERY_MS })
export class AnalysisProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Analyses');
  private readonly end = new AbortController();
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly runner: AnalysisRunner,
    private readonly forgotten: ForgottenAnalyses,
  ) {
    super();
  }

  async process({ data }: Job<AnalysisJob>): Promise<void> {
    await this.runner.run(data.analysisId, this.end.signal);
  }

  onApplicationBootstrap(): void {
    this.looking = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.looking);
    this.end.abort();
  }

  private async look(): Promise<void> {
    try {
      await this.forgotten.resend();
    } catch (error) {
      this.logger.warn(`analyses were not sent again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
