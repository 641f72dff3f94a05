import type { Uuid } from '#kernel/crypto/uuid';

export const RESTORE_TARGETS = ['new', 'same'] as const;
export type RestoreTarget = (typeof RESTORE_TARGETS)[number];

export const RESTORE_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;
export type RestoreStatus = (typeof RESTORE_STATUSES)[number];

export interface RestoreState {
  readonly id: Uuid;
  /** Null for a restore to a moment. */
  readonly backupId: Uuid | null;
  /** The moment, for a restore to one. */
  readonly recoverTo: Date | null;
  /** Whose backup it is. */
  readonly serviceId: Uuid;
  readonly customerId: Uuid | null;
  /** The service that gets the data. */
  readonly targetId: Uuid;
  /** Of a new service: its first deployment. */
  readonly deploymentId: Uuid | null;
  readonly into: RestoreTarget;
  /** Taken before the data of a service are replaced. */
  readonly safetyBackupId: Uuid | null;
  readonly status: RestoreStatus;
  readonly errorMessage: string | null;
  readonly actor: { readonly userId: Uuid | null; readonly apiKeyId: Uuid | null };
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A backup on its way into a service. */
export class Restore {
  #state: RestoreState;

  private constructor(state: RestoreState) {
    this.#state = state;
  }

  static queue(given: Omit<RestoreState, 'status' | 'errorMessage' | 'startedAt' | 'finishedAt'>): Restore {
    return new Restore({ ...given, status: 'queued', errorMessage: null, startedAt: null, finishedAt: null });
  }

  /** From what was stored: trusted. */
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
