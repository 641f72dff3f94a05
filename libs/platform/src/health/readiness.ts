import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  TypeOrmHealthIndicator,
  type HealthCheckResult,
} from '@nestjs/terminus';
import type { Queue } from 'bullmq';
import { Unavailable } from '#kernel/errors';

/** The queue of the periodic jobs. Every process can reach it, so it also shows whether the queue responds. */
export const HOUSEKEEPING_QUEUE = 'housekeeping';

const TIMEOUT_MS = 2_000;

/** Whether this process can serve: it queries the database and the queue, each with a time limit. */
@Injectable()
export class Readiness {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicator: HealthIndicatorService,
    private readonly database: TypeOrmHealthIndicator,
    @InjectQueue(HOUSEKEEPING_QUEUE) private readonly queue: Queue,
  ) {}

  /** @throws Unavailable naming the part that does not respond */
  async check(): Promise<void> {
    try {
      await this.health.check([
        () => this.database.pingCheck('database', { timeout: TIMEOUT_MS }),
        () => this.pingQueue(),
      ]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      const result = error.getResponse() as HealthCheckResult;
      const silent = Object.keys(result.error ?? {}).join(' and ');
      throw new Unavailable('not-ready', `Not ready: the ${silent} is not responding.`, { cause: error });
    }
  }

  private async pingQueue() {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    });
    const answer = this.queue.getJobCounts('waiting').then(
      () => true,
      () => false,
    );
    const indicator = this.indicator.check('queue');
    try {
      return (await Promise.race([answer, timeout])) ? indicator.up() : indicator.down();
    } finally {
      clearTimeout(timer);
    }
  }
}
