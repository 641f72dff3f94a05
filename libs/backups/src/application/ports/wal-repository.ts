import type { Uuid } from '#kernel/crypto/uuid';
import type { CopyAttempts } from '../../domain/pitr/copy-attempts.js';
import type { BaseBackup, ShippedSegment } from '../../domain/pitr/recovery-window.js';

/** The archived log of one service. */
export interface WalStream {
  readonly serviceId: Uuid;
  readonly customerId: Uuid | null;
  /** The segment that must be shipped next; null before the log was begun. */
  readonly nextSegment: string | null;
  /** The server's next transaction right after the last mark; null when others were at work during it. */
  readonly quietXid: string | null;
  /** Everything that was committed until then can be restored. */
  readonly reachesTo: Date | null;
  /** Why the log has a gap or is not shipped, as a sentence; null while all is well. */
  readonly problem: string | null;
  /** A copy of all files is wanted: there is none since the log was begun. */
  readonly needsBase: boolean;
}

export interface StoredBase extends BaseBackup {
  readonly id: Uuid;
  readonly storeKey: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface StoredSegment extends ShippedSegment {
  readonly sha256: string;
  readonly bytes: number;
}

/** What one worker at a time does for a service: it ships the log, or copies all data. */
export type LogWork = 'log' | 'copy';

/** What is known of the logs of services and of the copies that they are played onto. */
export abstract class WalRepository {
  abstract stream(serviceId: Uuid): Promise<WalStream | null>;
  abstract save(stream: WalStream): Promise<void>;
  abstract attempts(serviceId: Uuid): Promise<CopyAttempts>;
  /** Nothing is stored where no log is archived. */
  abstract saveAttempts(serviceId: Uuid, attempts: CopyAttempts): Promise<void>;
  abstract bases(serviceId: Uuid): Promise<readonly StoredBase[]>;
  abstract addBase(serviceId: Uuid, base: StoredBase): Promise<void>;
  abstract removeBase(id: Uuid): Promise<void>;
  /** In the order of their names. */
  abstract segments(serviceId: Uuid): Promise<readonly StoredSegment[]>;
  abstract addSegment(serviceId: Uuid, segment: StoredSegment): Promise<void>;
  abstract removeSegment(serviceId: Uuid, name: string): Promise<void>;
  /** Services whose policy wants their log archived, and those of which something is kept without wanting it. */
  abstract wanted(): Promise<readonly { readonly serviceId: Uuid; readonly isWanted: boolean }[]>;
  abstract remove(serviceId: Uuid): Promise<void>;
  /** @returns false when another worker is at it */
  abstract exclusively(serviceId: Uuid, kind: LogWork, work: () => Promise<void>): Promise<boolean>;
}
