import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Uuid } from '#kernel/crypto/uuid';
import { DeployQueue } from '../../application/ports/deploy-queue.js';

export const DEPLOYMENTS_QUEUE = 'deployments';

export interface DeployJob {
  readonly deploymentId: Uuid;
}

@Injectable()
export class BullmqDeployQueue extends DeployQueue {
  constructor(@InjectQueue(DEPLOYMENTS_QUEUE) private readonly queue: Queue<DeployJob>) {
    super();
  }

  /** An ended job is removed at once, because its id would keep the queue from accepting the deployment again. */
  async send(deploymentIds: readonly Uuid[]): Promise<void> {
    const jobs = deploymentIds.map((deploymentId) => ({
      name: 'deploy',
      data: { deploymentId },
      opts: { jobId: deploymentId, removeOnComplete: true, removeOnFail: true },
    }));
    await this.queue.addBulk(jobs);
  }
}
