import type { Uuid } from '#kernel/crypto/uuid';
import type { CopyAttempts } from '../../domain/pitr/copy-attempts.js';
import type { BaseBackup, ShippedSegment } from '../../domain/pitr/recovery-window.js';

/** The archived log of one service. */
export interface WalStream {
  readonly serviceId: Uuid;
  readonly customerId: Uuid | null;
  /** The segment that must be shipped next; null until archiving has started. */
  readonly nextSegment: string | null;
  /** The server's next transaction id right after the last mark; null when other transactions ran meanwhile. */
  readonly quietXid: string | null;
  /** Everything committed up to this moment can be restored. */
  readonly reachesTo: Date | null;
  /** Why the log has a gap or is not shipped, as a sentence; null when there is no problem. */
  readonly problem: string | null;
  /** Whether a base backup is needed, because none has been taken since archiving started. */
  readonly needsBase: boolean;
}

export interface StoredBase extends BaseBackup {
  readonly id: Uuid;
  readonly storeKey: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly verifiedAt: Date | null;
  readonly expiresAt: Date | null;
}

export interface StoredSegment extends ShippedSegment {
  readonly sha256: string;
  readonly bytes: number;
}

/** A base backup as it is first stored. */
export type NewBase = Omit<StoredBase, 'proof' | 'verifiedAt' | 'expiresAt'>;

/** Work that one worker at a time does for a service: `log` ships the log, `copy` takes a base backup. */
export type LogWork = 'log' | 'copy';

/** Records of archived logs and of the base backups that they are played onto. */
export abstract class WalRepository {
  abstract stream(serviceId: Uuid): Promise<WalStream | null>;
  abstract save(stream: WalStream): Promise<void>;
  abstract attempts(serviceId: Uuid): Promise<CopyAttempts>;
  /** Does nothing when the service's log is not archived. */
  abstract saveAttempts(serviceId: Uuid, attempts: CopyAttempts): Promise<void>;
  /** Ordered by `endedAt`. */
  abstract bases(serviceId: Uuid): Promise<readonly StoredBase[]>;
  /** Call it in the transaction that stores the backup of the same id. */
  abstract addBase(serviceId: Uuid, base: NewBase): Promise<void>;
  abstract removeBase(id: Uuid): Promise<void>;
  /** Ordered by name. */
  abstract segments(serviceId: Uuid): Promise<readonly StoredSegment[]>;
  abstract addSegment(serviceId: Uuid, segment: StoredSegment): Promise<void>;
  abstract removeSegment(serviceId: Uuid, name: string): Promise<void>;
  /** Services whose policy asks for an archived log, and services that still have one although it no longer does. */
  abstract wanted(): Promise<readonly { readonly serviceId: Uuid; readonly isWanted: boolean }[]>;
  abstract remove(serviceId: Uuid): Promise<void>;
  /** Runs `work` unless another worker does the same kind of work for the service. @returns false in that case */
  abstract exclusively(serviceId: Uuid, kind: LogWork, work: () => Promise<void>): Promise<boolean>;
}
