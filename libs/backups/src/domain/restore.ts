import type { Uuid } from '#kernel/crypto/uuid';

export const RESTORE_TARGETS = ['new', 'same'] as const;
export type RestoreTarget = (typeof RESTORE_TARGETS)[number];

export const RESTORE_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;
export type RestoreStatus = (typeof RESTORE_STATUSES)[number];

export interface RestoreState {
  readonly id: Uuid;
  /** Null when the restore is to a moment instead of from a backup. */
  readonly backupId: Uuid | null;
  /** The moment to restore to; null when a backup is restored. */
  readonly recoverTo: Date | null;
  /** The service whose backup is restored. */
  readonly serviceId: Uuid;
  readonly customerId: Uuid | null;
  /** The service that receives the data. */
  readonly targetId: Uuid;
  /** The first deployment of a new service; null when the data go into an existing one. */
  readonly deploymentId: Uuid | null;
  readonly into: RestoreTarget;
  /** The backup that was taken before the data of an existing service are replaced. */
  readonly safetyBackupId: Uuid | null;
  readonly status: RestoreStatus;
  readonly errorMessage: string | null;
  readonly actor: { readonly userId: Uuid | null; readonly apiKeyId: Uuid | null };
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** The restore of a backup, or of a moment, into a service. */
export class Restore {
  #state: RestoreState;

  private constructor(state: RestoreState) {
    this.#state = state;
  }

  static queue(given: Omit<RestoreState, 'status' | 'errorMessage' | 'startedAt' | 'finishedAt'>): Restore {
    return new Restore({ ...given, status: 'queued', errorMessage: null, startedAt: null, finishedAt: null });
  }

  /** Rebuilds a restore from its stored state, which is not validated again. */
  static restore(state: RestoreState): Restore {
    return new Restore(state);
  }

  get state(): RestoreState {
    return this.#state;
  }

  get id(): Uuid {
    return this.#state.id;
  }

  begin(at: Date): void {
    this.#state = { ...this.#state, status: 'running', startedAt: at };
  }

  succeed(at: Date): void {
    this.#state = { ...this.#state, status: 'succeeded', finishedAt: at };
  }

  fail(message: string, at: Date): void {
    this.#state = { ...this.#state, status: 'failed', errorMessage: message, finishedAt: at };
  }
}
