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

/** Whether the backup has been restored for a trial, and what came of it. */
export interface Verification {
  readonly status: VerificationStatus;
  /** When it was proven; null unless `verified`. */
  readonly verifiedAt: Date | null;
  readonly durationSeconds: number | null;
  /** What was found in the restored copy and compared with the dump; null where the kind cannot count. */
  readonly objects: number | null;
  readonly rows: number | null;
  /** Whether what the rows hold was compared too; null unless `verified`. */
  readonly compared: Comparison | null;
  /** Why it failed or was skipped. */
  readonly errorMessage: string | null;
  /** How often it began; a worker that died is not the fault of the backup, but not for ever. */
  readonly attempts: number;
}

/** What the service was when its backup was asked for. */
export interface BackupOrigin {
  readonly serviceName: string;
  /** The template's slug. */
  readonly template: string;
  /** The name on the container network. */
  readonly hostName: string;
  /** Empty where the template has none. */
  readonly database: string;
  readonly user: string;
  /** As services store it: `library/postgres:16-bookworm`. */
  readonly image: string;
  /** `sha256:…` on the engine; null before it is known. */
  readonly imageId: string | null;
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly diskMb: number;
}

export interface BackupState {
  readonly id: Uuid;
  readonly serviceId: Uuid;
  /** The organisation of the service; null for the panel's own. */
  readonly customerId: Uuid | null;
  readonly kind: BackupKind;
  readonly trigger: BackupTrigger;
  readonly status: BackupStatus;
  readonly origin: BackupOrigin;
  readonly storeKey: string;
  /** Of what lies in the store, encrypted. */
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  readonly databaseVersion: string | null;
  readonly inventory: Inventory | null;
  /** What a reader should know, such as other databases of the server that are not in it. */
  readonly notes: readonly string[];
  /** Null until the backup has succeeded. */
  readonly verification: Verification | null;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Null: kept as long as it is the newest one that can be relied on, or until a newer one exists. */
  readonly expiresAt: Date | null;
}
