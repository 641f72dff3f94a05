import path from 'node:path';
import { z } from 'zod';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Randomness } from '#kernel/crypto/randomness';
import { httpUrl } from '#platform/config/setting-types';
import type { BackupStore } from '../../application/ports/backup-store.js';
import { DirectoryBackupStore } from './directory-backup-store.js';
import { S3BackupStore } from './s3-backup-store.js';
import { s3ClientOf } from './s3-client.js';
import { S3_TIMES, type S3Settings } from './s3-settings.js';

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?$/;

/** Settings of the destination of backups: an S3 store if its settings are given, otherwise a directory. */
export const backupStoreEnv = {
  BACKUP_DIR: z.string().min(1).default('.data/backups'),
  BACKUP_S3_ENDPOINT: httpUrl.optional(),
  BACKUP_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be a region such as eu-central-1')
    .default('us-east-1'),
  BACKUP_S3_BUCKET: z.string().regex(BUCKET, 'must be the name of a bucket').optional(),
  BACKUP_S3_PREFIX: z
    .string()
    .max(200)
    .regex(PREFIX, 'must be parts of letters, digits, ., _ and -, joined by /')
    .transform((text) => text.replace(/\/$/, '') + '/')
    .optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
};

export type BackupStoreEnv = z.output<z.ZodObject<typeof backupStoreEnv>>;

const TOGETHER = ['BACKUP_S3_BUCKET', 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'] as const;
const NEEDS_BUCKET = [...TOGETHER, 'BACKUP_S3_ENDPOINT', 'BACKUP_S3_PREFIX'] as const;

/** Reports settings of an S3 store that are incomplete: it needs a bucket, an access key and its secret. */
export function refuseHalfS3(env: BackupStoreEnv, context: z.RefinementCtx): void {
  if (NEEDS_BUCKET.every((name) => env[name] === undefined)) return;
  for (const name of TOGETHER.filter((each) => env[each] === undefined))
    context.addIssue({ code: 'custom', path: [name], message: 'is required with the other settings of the S3 store' });
}

export function s3SettingsOf(env: BackupStoreEnv): S3Settings | null {
  const { BACKUP_S3_BUCKET: bucket, BACKUP_S3_ACCESS_KEY_ID: accessKeyId } = env;
  if (!bucket || !accessKeyId || !env.BACKUP_S3_SECRET_ACCESS_KEY) return null;
  return {
    endpoint: env.BACKUP_S3_ENDPOINT ?? null,
    region: env.BACKUP_S3_REGION,
    bucket,
    prefix: env.BACKUP_S3_PREFIX ?? '',
    accessKeyId,
    secretAccessKey: new SecretText(env.BACKUP_S3_SECRET_ACCESS_KEY),
    times: S3_TIMES,
  };
}

export function backupStoreOf(env: BackupStoreEnv, randomness: Randomness): BackupStore {
  const s3 = s3SettingsOf(env);
  if (s3 === null) return new DirectoryBackupStore(path.resolve(env.BACKUP_DIR), randomness);
  return new S3BackupStore(s3ClientOf(s3), s3, randomness);
}
