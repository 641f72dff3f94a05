import { z } from 'zod';
import {
  backupsEnv,
  backupSettingsOf,
  BackupsModule,
  backupStorageEnv,
  BackupStorageModule,
  refuseHalfS3,
} from '#libs/backups';
import { readEnv } from '#platform/config/read-env';
import { staffSettings } from '../cli.config.js';
import { panelSide, panelSideSettings } from './panel-side.js';
import type { Side } from './side.js';

const schema = z
  .object({ ...staffSettings, ...panelSideSettings, ...backupStorageEnv, ...backupsEnv })
  .superRefine(refuseHalfS3);

export type BackupsSideSettings = Readonly<z.output<typeof schema>>;

/** Backups of services. The commands only schedule work; a worker does it. */
export const backupsSide: Side<BackupsSideSettings> = {
  settings: (env) => readEnv(schema, env),
  modules: (settings) => {
    const modules = panelSide.modules(settings);
    const services = modules.at(-1);
    if (!services || !('module' in services)) throw new Error('the services module must be the last one');
    const storage = BackupStorageModule.forRoot({
      env: settings,
      keyRing: settings.SECRETS_KEYS ?? null,
      databaseUrl: settings.DATABASE_URL,
    });
    return [
      ...modules.slice(0, -1),
      BackupsModule.forRoot({ settings: backupSettingsOf(settings), storage, services }),
    ];
  },
};
