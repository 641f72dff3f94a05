import { positiveInteger, positiveNumber } from '#platform/config/setting-types';
import type { z } from 'zod';
import type { BackupSettings } from '../application/settings.js';

const LEASE_MS = 30_000;
const MEGABYTE = 2 ** 20;

/** Settings for making and verifying backups. Those of the destination are in `store-env.ts`. */
export const backupsEnv = {
  BACKUPS_AT_ONCE: positiveInteger(2),
  BACKUP_TIMEOUT_MINUTES: positiveNumber(360),
  BACKUP_VERIFY_MEMORY_MB: positiveInteger(1024),
  BACKUP_VERIFY_CPU_CORES: positiveNumber(1),
  BACKUP_VERIFY_MAX_MB: positiveInteger(51_200),
};

export type BackupsEnv = z.output<z.ZodObject<typeof backupsEnv>>;

export function backupSettingsOf(env: BackupsEnv): BackupSettings {
  return {
    dumpsAtOnce: env.BACKUPS_AT_ONCE,
    restoresAtOnce: env.BACKUPS_AT_ONCE,
    proofMemoryMb: env.BACKUP_VERIFY_MEMORY_MB,
    proofCpuCores: env.BACKUP_VERIFY_CPU_CORES,
    proofMaxBytes: env.BACKUP_VERIFY_MAX_MB * MEGABYTE,
    timeoutMs: env.BACKUP_TIMEOUT_MINUTES * 60_000,
    leaseMs: LEASE_MS,
  };
}
