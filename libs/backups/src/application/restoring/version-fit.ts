import type { Backup } from '../../domain/backup.js';
import type { DatabaseMethod } from '../methods/database-method.js';

/** @param server its version, where it is known @returns why the backup cannot be restored into it; null when it can */
export function versionDefect({ refusesVersion }: DatabaseMethod, { state }: Backup, server: string | null) {
  const { databaseVersion } = state;
  return databaseVersion === null || server === null ? null : (refusesVersion?.(databaseVersion, server) ?? null);
}
