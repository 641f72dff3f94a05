import { z } from 'zod';
import { isAgeRecipient } from './sealing/age-key.js';
import { backupStoreEnv } from './stores/store-env.js';

/** Settings of the destination of backups, and of a further key that can read them. */
export const backupStorageEnv = {
  ...backupStoreEnv,
  BACKUP_AGE_RECIPIENT: z
    .string()
    .refine(isAgeRecipient, 'must be a public key of age: age1 and 58 further characters')
    .optional(),
};

export type BackupStorageEnv = z.output<z.ZodObject<typeof backupStorageEnv>>;
