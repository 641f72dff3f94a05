import type { Uuid } from '#kernel/crypto/uuid';

/** Wakes up a worker. A job carries only an id; the row in the database is the source of truth. */
export abstract class DeployQueue {
  /**
   * Queues a job per deployment. A deployment that already has an unfinished job gets no second one.
   * @throws Error if the queue does not respond
   */
  abstract send(deploymentIds: readonly Uuid[]): Promise<void>;
}
