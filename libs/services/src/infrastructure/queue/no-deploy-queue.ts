import { DeployQueue } from '../../application/ports/deploy-queue.js';

/** For processes without a queue. The worker finds the deployments that they store when it looks for forgotten ones. */
export class NoDeployQueue extends DeployQueue {
  send(): Promise<void> {
    return Promise.resolve();
  }
}
