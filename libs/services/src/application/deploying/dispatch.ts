import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { DeployQueue } from '../ports/deploy-queue.js';

/** Deployments that arrive during a call to the queue, or within this time after it, are sent together. */
const GATHER_MS = 100;
/** Maximum number kept while the queue does not respond. The worker finds the others by their rows. */
const MAX_WAITING = 10_000;

/**
 * Sends stored deployments to the queue: a single one at once, many in one call, because a call costs about the same
 * for one as for a hundred.
 */
@Injectable()
export class Dispatch {
  private waiting: Uuid[] = [];
  private busy = false;

  constructor(private readonly queue: DeployQueue) {}

  /**
   * Call this after the commit. It does not block: if the queue does not respond, the request still succeeds, and the
   * worker finds the stored deployment.
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
