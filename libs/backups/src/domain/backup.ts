import type { Uuid } from '#kernel/crypto/uuid';
import { Invalid } from '#kernel/errors';
import { BackupStateRefuses } from './backup-errors.js';
import type { BackupState, Verification } from './backup-state.js';
import { comparisonOf, type Inventory, totalObjects, totalRows } from './inventory.js';

/** What a worker knows about a dump once it has been stored completely. */
export interface FinishedDump {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly databaseVersion: string;
  readonly imageId: string | null;
  readonly inventory: Inventory;
  readonly notes: readonly string[];
}

const MAX_PROOF_ATTEMPTS = 3;

const UNPROVEN: Verification = {
  status: 'pending',
  verifiedAt: null,
  durationSeconds: null,
  objects: null,
  rows: null,
  compared: null,
  errorMessage: null,
  attempts: 0,
};

/** A copy of a database in the store, from the request for it until it expires. Every state change is a method here. */
export class Backup {
  #state: BackupState;

  private constructor(state: BackupState) {
    this.#state = state;
  }

  static queue(
    given: Pick<BackupState, 'id' | 'serviceId' | 'customerId' | 'kind' | 'trigger' | 'origin' | 'createdAt'>,
  ): Backup {
    return new Backup({
      ...given,
      status: 'queued',
      storeKey: `services/${given.serviceId}/${given.id}.age`,
      sizeBytes: null,
      sha256: null,
      databaseVersion: null,
      inventory: null,
      notes: [],
      verification: null,
      errorMessage: null,
      startedAt: null,
      finishedAt: null,
      expiresAt: null,
    });
  }

  /** Makes the record of a base backup. There is none before the whole copy is in the store. */
  static copied(
    given: Pick<BackupState, 'id' | 'serviceId' | 'customerId' | 'origin' | 'storeKey' | 'databaseVersion'> & {
      readonly sizeBytes: number;
      readonly sha256: string;
      readonly startedAt: Date;
      readonly finishedAt: Date;
    },
  ): Backup {
    return new Backup({
      ...given,
      kind: 'base',
      trigger: 'schedule',
      status: 'succeeded',
      createdAt: given.startedAt,
      inventory: null,
      notes: [],
      verification: null,
      errorMessage: null,
      expiresAt: null,
    });
  }

  /** Rebuilds a backup from its stored state, which is not validated again. */
  static restore(state: BackupState): Backup {
    return new Backup(state);
  }

  get state(): BackupState {
    return this.#state;
  }

  get id(): Uuid {
    return this.#state.id;
  }

  /** The extension of a downloaded file, with its dot. */
  get format(): string {
    return this.#state.kind === 'base'
      ? (/\.(?:tar|sql)\.gz(?=\.age$)/.exec(this.#state.storeKey)?.[0] ?? '')
      : '.dump';
  }

  begin(at: Date): void {
    this.#change({ status: 'running', startedAt: at });
  }

  /** @param skipped why the backup will not be verified; null when a worker has to verify it */
  succeed({ imageId, ...dump }: FinishedDump, at: Date, skipped: string | null): void {
    this.#change({
      ...dump,
      origin: { ...this.#state.origin, imageId },
      status: 'succeeded',
      finishedAt: at,
      verification: skipped === null ? UNPROVEN : { ...UNPROVEN, status: 'skipped', errorMessage: skipped },
    });
  }

  fail(message: string, at: Date): void {
    this.#change({ status: 'failed', errorMessage: message, finishedAt: at });
  }

  /** @throws BackupStateRefuses when the backup has not succeeded or a verification is already pending or running */
  askForProof(): void {
    const { status, verification } = this.#state;
    if (status !== 'succeeded') throw new BackupStateRefuses('Only a backup that has succeeded can be verified.');
    if (verification?.status === 'pending' || verification?.status === 'running')
      throw new BackupStateRefuses('The backup is being verified already.');
    this.#change({ verification: UNPROVEN });
  }

  beginProof(): void {
    const attempts = (this.#state.verification?.attempts ?? 0) + 1;
    this.#change({ verification: { ...UNPROVEN, status: 'running', attempts } });
  }

  /** Records a successful trial restore. @param found the inventory of the restored copy */
  prove(found: Inventory, durationSeconds: number, at: Date): void {
    this.#verification({
      status: 'verified',
      verifiedAt: at,
      durationSeconds,
      objects: totalObjects(found),
      rows: totalRows(found),
      // Nothing was counted in the source while it was copied.
      compared: this.#state.kind === 'base' ? null : comparisonOf(found),
    });
  }

  /** Records that the trial restore failed: the backup cannot be relied on. */
  disprove(message: string, durationSeconds: number): void {
    this.#verification({ status: 'failed', errorMessage: message, durationSeconds });
  }

  /** Records that no trial restore was possible, which says nothing about the backup. */
  skipProof(reason: string): void {
    this.#verification({ status: 'skipped', errorMessage: reason });
  }

  /** The worker that verified the backup is gone: another one may try, up to a maximum number of attempts. */
  proofInterrupted(): void {
    if ((this.#state.verification?.attempts ?? 0) < MAX_PROOF_ATTEMPTS) this.#verification({ status: 'pending' });
    else this.skipProof('The verification was interrupted too many times.');
  }

  /** The object in the store is missing or has changed: the backup counts as failed. */
  lose(message: string, at: Date): void {
    const { verification } = this.#state;
    this.fail(message, at);
    if (verification) this.#change({ verification: { ...UNPROVEN, status: 'failed', errorMessage: message } });
  }

  expireAt(at: Date | null): void {
    this.#change({ expiresAt: at });
  }

  /** Called before the object in the store is removed. */
  expire(): void {
    const { verification } = this.#state;
    this.#change({ status: 'expired' });
    // Otherwise workers would claim it again and again.
    if (verification?.status === 'pending' || verification?.status === 'running')
      this.skipProof('The backup was removed before it was verified.');
  }

  /** @throws BackupStateRefuses when the backup has not succeeded or its verification failed */
  assertRestorable(): void {
    const { status, verification } = this.#state;
    if (status !== 'succeeded') throw new BackupStateRefuses('Only a backup that has succeeded can be restored.');
    if (verification?.status === 'failed')
      throw new BackupStateRefuses('The verification of this backup failed: it cannot be restored.');
  }

  /** @throws Invalid for a base backup, which can only be restored into a new service */
  assertCanReplace(): void {
    if (this.#state.kind === 'base') throw Invalid.field('into', 'must be new for a base backup');
  }

  #verification(change: Partial<Verification>): void {
    this.#change({ verification: { ...(this.#state.verification ?? UNPROVEN), ...change } });
  }

  #change(change: Partial<BackupState>): void {
    this.#state = { ...this.#state, ...change };
  }
}
