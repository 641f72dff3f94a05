import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { DeployRunner, DEPLOYMENTS_QUEUE, type DeployJob } from '#libs/services';

/** Several services are deployed side by side; each one's operations go one after the other. */
@Processor(DEPLOYMENTS_QUEUE, { concurrency: 8 })
export class DeployProcessor extends WorkerHost {
  constructor(private readonly runner: DeployRunner) {
    super();
  }

  async process({ data }: Job<DeployJob>): Promise<void> {
    await this.runner.run(data.deploymentId);
  }
}
