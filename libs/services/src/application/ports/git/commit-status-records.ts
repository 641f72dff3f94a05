import type { Uuid } from '#kernel/crypto/uuid';
import type { CommitState } from '../../../domain/git/commit-status.js';

/** A commit status that has not been reported to its host yet. */
export interface DueStatus {
  readonly deploymentId: Uuid;
  readonly serviceId: Uuid;
  readonly serviceName: string;
  readonly specVersion: number;
  readonly commit: string;
  readonly state: CommitState;
  /** The service whose settings contain the token: the service itself or, for a preview, its parent. */
  readonly settingsOf: Uuid;
}

/** The last status that was reported to a host, or that could not be reported. */
export interface ToldStatus {
  readonly deploymentId: Uuid;
  readonly state: CommitState;
  /** Null if the host accepted it or no attempt was made yet. */
  readonly error: string | null;
  readonly at: Date;
}

/** The reported commit statuses. A worker must claim a status before it reports it. */
export abstract class CommitStatusRecords {
  /** Oldest first. */
  abstract due(at: Date, maxAttempts: number, limit: number): Promise<readonly DueStatus[]>;
  /**
   * Runs in the current transaction, like `told` and `failed`. Nobody else can claim the status until `until`.
   * @returns the number of this attempt; null if another worker has claimed or reported it
   */
  abstract claim(status: DueStatus, at: Date, until: Date): Promise<number | null>;
  abstract told(status: DueStatus, at: Date): Promise<void>;
  /** @param again time of the next attempt; null to give up */
  abstract failed(status: DueStatus, error: string, at: Date, again: Date | null): Promise<void>;
  /** The newest status of the service or one of its previews. */
  abstract latest(serviceId: Uuid): Promise<ToldStatus | null>;
}
