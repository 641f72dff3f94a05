import { z } from 'zod';
import { isAgeRecipient } from './sealing/age-key.js';
import { backupStoreEnv } from './stores/store-env.js';

/** Where backups go and who can read them. */
export const backupStorageEnv = {
  ...backupStoreEnv,
  BACKUP_AGE_RECIPIENT: z
    .string()
    .refine(isAgeRecipient, 'must be a public key of age: age1 and 58 further characters')
    .optional(),
};

export type BackupStorageEnv = z.output<z.ZodObject<typeof backupStorageEnv>>;
