import type { Uuid } from '#kernel/crypto/uuid';

/** A queue for builds: one at a time across all workers, in order of arrival. */
export abstract class BuildTurns {
  /**
   * Waits until it is the deployment's turn and runs `work`. If the worker dies, the next one keeps the place in the
   * queue.
   * @param onPlace called with the number of builds ahead, whenever it changes
   * @param signal aborts the wait with its reason; `work` must handle it itself
   */
  abstract inTurn<T>(
    deploymentId: Uuid,
    onPlace: (before: number) => void,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T>;
}
