import type { Backup } from '../../domain/backup.js';
import type { DatabaseMethod } from '../methods/database-method.js';

/**
 * Why a backup cannot be restored into a server; null when it can, or when one of the versions is not known.
 * @param server version of the server; null when unknown
 */
export function versionDefect({ refusesVersion }: DatabaseMethod, { state }: Backup, server: string | null) {
  const { databaseVersion } = state;
  return databaseVersion === null || server === null ? null : (refusesVersion?.(databaseVersion, server) ?? null);
}
