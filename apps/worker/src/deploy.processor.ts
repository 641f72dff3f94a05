import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { DeployRunner, DEPLOYMENTS_QUEUE, type DeployJob } from '#libs/services';

/** How long a dead worker keeps its job, and how often that is checked. The defaults add up to a minute. */
const DEAD_AFTER_MS = 15_000;
const LOOK_EVERY_MS = 5_000;

/** Deploys several services in parallel; operations of one service run one after the other. */
@Processor(DEPLOYMENTS_QUEUE, { concurrency: 8, lockDuration: DEAD_AFTER_MS, stalledInterval: LOOK_EVERY_MS })
export class DeployProcessor extends WorkerHost {
  constructor(private readonly runner: DeployRunner) {
    super();
  }

  async process({ data }: Job<DeployJob>): Promise<void> {
    await this.runner.run(data.deploymentId);
  }
}
