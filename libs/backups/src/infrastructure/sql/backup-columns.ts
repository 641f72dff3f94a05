import type { OrganisationScope } from '#libs/services';
import { Backup } from '../../domain/backup.js';
import type { BackupState, Verification } from '../../domain/backup-state.js';

/** The columns of `backups.backups b`, under the names of `BackupState`. */
export const BACKUP_COLUMNS = `
  b.id, b.service_id as "serviceId", b.customer_id as "customerId", b.kind, b.trigger, b.status, b.origin,
  b.store_key as "storeKey", b.size_bytes::float8 as "sizeBytes", b.sha256, b.database_version as "databaseVersion",
  b.inventory, b.notes, b.verification, b.error_message as "errorMessage", b.created_at as "createdAt",
  b.started_at as "startedAt", b.finished_at as "finishedAt", b.expires_at as "expiresAt"`;

export function toBackup(row: BackupState): Backup {
  return Backup.restore({ ...row, verification: row.verification && withDates(row.verification) });
}

export function firstBackup(rows: readonly BackupState[]): Backup | null {
  return rows[0] ? toBackup(rows[0]) : null;
}

/**
 * Times in JSON are read as text. Verifications stored before contents were compared have no `compared`: counts only.
 */
function withDates(verification: Verification): Verification {
  const { status, verifiedAt, compared } = verification;
  const told = compared as Verification['compared'] | undefined;
  const known = told === undefined ? (status === 'verified' ? 'counts' : null) : told;
  return { ...verification, verifiedAt: verifiedAt && new Date(verifiedAt), compared: known };
}

/** SQL condition that restricts a query to a scope; `parameter` must be bound to `scopeIds(scope)`. */
export const inScope = (parameter: string): string =>
  `(${parameter}::uuid[] is null or b.customer_id = any(${parameter}::uuid[]))`;

export function scopeIds(scope: OrganisationScope): readonly string[] | null {
  return scope.organisationIds;
}

/** Whether the error is a violation of the unique index `index`. */
export function violates(error: unknown, index: string): boolean {
  return error instanceof Error && error.message.includes(index);
}
