import type { Uuid } from '#kernel/crypto/uuid';
import type { CommitState } from '../../../domain/git/commit-status.js';

/** A deployment whose host has not been told yet how it stands. */
export interface DueStatus {
  readonly deploymentId: Uuid;
  readonly serviceId: Uuid;
  readonly serviceName: string;
  readonly specVersion: number;
  readonly commit: string;
  readonly state: CommitState;
  /** Whose settings hold the token: the service, or the one that it is a preview of. */
  readonly settingsOf: Uuid;
}

/** The last thing that a host was told, or was to be told. */
export interface ToldStatus {
  readonly deploymentId: Uuid;
  readonly state: CommitState;
  /** Null when the host took it, or has not been asked yet. */
  readonly error: string | null;
  readonly at: Date;
}

/** What hosts were told of deployments. Rows of one deployment are written by whoever holds its lease. */
export abstract class CommitStatusRecords {
  /** Oldest first. */
  abstract due(at: Date, maxAttempts: number, limit: number): Promise<readonly DueStatus[]>;
  /** In the current transaction, as the next two. @returns the number of this attempt; null when another worker is telling it */
  abstract claim(status: DueStatus, at: Date, until: Date): Promise<number | null>;
  abstract told(status: DueStatus, at: Date): Promise<void>;
  /** @param again null: it is given up */
  abstract failed(status: DueStatus, error: string, at: Date, again: Date | null): Promise<void>;
  /** Of the service and its previews. */
  abstract latest(serviceId: Uuid): Promise<ToldStatus | null>;
}
