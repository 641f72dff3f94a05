import type { Uuid } from '#kernel/crypto/uuid';

/** Wakes up a worker. A job carries only an id; the row in the database is the source of truth. */
export abstract class DeployQueue {
  /**
   * Asks for deployments to be carried out. Sent twice, there is still one job; sent again after the job has ended,
   * there is a new one.
   * @throws Error when the queue does not answer
   */
  abstract send(deploymentIds: readonly Uuid[]): Promise<void>;
}
