import type { Uuid } from '#kernel/crypto/uuid';
import type { Comparison, Inventory } from './inventory.js';

export const BACKUP_KINDS = ['dump', 'base', 'snapshot'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

export const BACKUP_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'expired'] as const;
export type BackupStatus = (typeof BACKUP_STATUSES)[number];

export const BACKUP_TRIGGERS = ['manual', 'schedule', 'pre-restore', 'pre-delete'] as const;
export type BackupTrigger = (typeof BACKUP_TRIGGERS)[number];

export const VERIFICATION_STATUSES = ['pending', 'running', 'verified', 'failed', 'skipped'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** State and result of the trial restore of a backup. */
export interface Verification {
  readonly status: VerificationStatus;
  /** Null unless `verified`. */
  readonly verifiedAt: Date | null;
  readonly durationSeconds: number | null;
  /** Number of objects in the restored copy, which was compared with that of the dump; null before that. */
  readonly objects: number | null;
  /** Number of rows in the restored copy; null also when the engine cannot count them in the dumped state. */
  readonly rows: number | null;
  /** Whether the contents of the rows were compared or only their numbers; null unless `verified`. */
  readonly compared: Comparison | null;
  /** Why the verification failed or was skipped; null otherwise. */
  readonly errorMessage: string | null;
  /** How often it was started. A worker that dies is not held against the backup, but the attempts are limited. */
  readonly attempts: number;
}

/** The service as it was when the backup was requested. */
export interface BackupOrigin {
  readonly serviceName: string;
  /** The template's slug. */
  readonly template: string;
  /** The service's name on the container network. */
  readonly hostName: string;
  /** Empty when the template has no database name. */
  readonly database: string;
  readonly user: string;
  /** The image as services store it, for example `library/postgres:16-bookworm`. */
  readonly image: string;
  /** The engine's `sha256:…`; null until the dump has finished. */
  readonly imageId: string | null;
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly diskMb: number;
}

export interface BackupState {
  readonly id: Uuid;
  readonly serviceId: Uuid;
  /** The organisation of the service; null for services of the panel itself. */
  readonly customerId: Uuid | null;
  readonly kind: BackupKind;
  readonly trigger: BackupTrigger;
  readonly status: BackupStatus;
  readonly origin: BackupOrigin;
  readonly storeKey: string;
  /** Size of the encrypted object in the store; null until the backup has succeeded. */
  readonly sizeBytes: number | null;
  /** Digest of the encrypted object in the store. */
  readonly sha256: string | null;
  readonly databaseVersion: string | null;
  readonly inventory: Inventory | null;
  /** Remarks for the reader, such as other databases of the server that the backup does not contain. */
  readonly notes: readonly string[];
  /** Null until the backup has succeeded. */
  readonly verification: Verification | null;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Null: kept without end, because it is the newest backup that can be relied on. See `expiries`. */
  readonly expiresAt: Date | null;
}
