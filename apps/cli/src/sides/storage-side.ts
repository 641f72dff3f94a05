import { z } from 'zod';
import { backupStorageEnv, BackupStorageModule, refuseHalfS3 } from '#libs/backups';
import { readEnv } from '#platform/config/read-env';
import { staffSettings } from '../cli.config.js';
import type { Side } from './side.js';

const schema = z.object({ ...staffSettings, ...backupStorageEnv }).superRefine(refuseHalfS3);

export type StorageSideSettings = Readonly<z.output<typeof schema>>;

/** The backup store and the encryption keys. */
export const storageSide: Side<StorageSideSettings> = {
  settings: (env) => readEnv(schema, env),
  modules: (settings) => [
    BackupStorageModule.forRoot({
      env: settings,
      keyRing: settings.SECRETS_KEYS ?? null,
      databaseUrl: settings.DATABASE_URL,
    }),
  ],
};
