import type { Uuid } from '#kernel/crypto/uuid';

/** Wakes a worker up. A job carries an id and nothing else; the row is the truth. */
export abstract class DeployQueue {
  /**
   * Asks for deployments to be carried out. Sent twice, there is still one job; sent again after the job has ended,
   * there is a new one.
   * @throws Error when the queue does not answer
   */
  abstract send(deploymentIds: readonly Uuid[]): Promise<void>;
}
