import { DeployQueue } from '../../application/ports/deploy-queue.js';

/** For processes that have no queue: what they store is found by the worker when it looks for forgotten deployments. */
export class NoDeployQueue extends DeployQueue {
  send(): Promise<void> {
    return Promise.resolve();
  }
}
