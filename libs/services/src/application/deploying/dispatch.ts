import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { DeployQueue } from '../ports/deploy-queue.js';

/** What comes while the queue is being told, or within this time after it, goes together. */
const GATHER_MS = 100;
/** Behind a queue that does not answer no more are kept: the worker finds them by their rows. */
const MAX_WAITING = 10_000;

/**
 * Hands stored deployments to the queue: a lone one at once, many together, because telling the queue costs about the
 * same for one as for a hundred.
 */
@Injectable()
export class Dispatch {
  private waiting: Uuid[] = [];
  private busy = false;

  constructor(private readonly queue: DeployQueue) {}

  /**
   * Called after the commit, and nobody waits for it: a queue that does not answer is no failure of the request. What
   * is stored is sent again by the worker.
   */
  send(deploymentId: Uuid): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push(deploymentId);
    if (!this.busy) this.flush();
  }

  private flush(): void {
    const ids = this.waiting;
    if (ids.length === 0) {
      this.busy = false;
      return;
    }
    this.busy = true;
    this.waiting = [];
    void this.queue
      .send(ids)
      .catch(() => undefined)
      .finally(() => setTimeout(() => this.flush(), GATHER_MS).unref());
  }
}
