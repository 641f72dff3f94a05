import { Module, type DynamicModule } from '@nestjs/common';
import type { KeyRing } from '#platform/key-ring';
import { BackupRecipients } from './application/ports/backup-recipients.js';
import { BackupSealing } from './application/ports/backup-sealing.js';
import { BackupStore } from './application/ports/backup-store.js';
import { OrganisationKeys } from './application/ports/organisation-keys.js';
import { PanelBackupKey } from './application/ports/panel-backup-key.js';
import type { BackupStorageEnv } from './infrastructure/storage-env.js';
import { backupStorageProviders } from './infrastructure/storage-providers.js';

/** Where backups lie and how they are sealed. Needs the database, which is global. */
@Module({})
export class BackupStorageModule {
  static forRoot(env: BackupStorageEnv, keyRing: KeyRing | null): DynamicModule {
    return {
      module: BackupStorageModule,
      providers: backupStorageProviders(env, keyRing),
      exports: [BackupStore, BackupSealing, PanelBackupKey, BackupRecipients, OrganisationKeys],
    };
  }
}
