import type { Uuid } from '#kernel/crypto/uuid';

/** One build at a time over all workers, in the order in which they came. */
export abstract class BuildTurns {
  /**
   * Waits for the turn of the deployment and does `work`. A worker that dies loses its turn, not its place.
   * @param onPlace how many builds are before it, whenever that changes
   * @param signal ends the wait with its reason; `work` has to heed it itself
   */
  abstract inTurn<T>(
    deploymentId: Uuid,
    onPlace: (before: number) => void,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T>;
}
