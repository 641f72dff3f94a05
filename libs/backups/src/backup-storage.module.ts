import { Module, type DynamicModule } from '@nestjs/common';
import { BackupRecipients } from './application/ports/backup-recipients.js';
import { BackupSealing } from './application/ports/backup-sealing.js';
import { BackupStore } from './application/ports/backup-store.js';
import { OrganisationKeys } from './application/ports/organisation-keys.js';
import { PanelBackupKey } from './application/ports/panel-backup-key.js';
import { SelfBackups } from './application/self/self-backups.js';
import { backupStorageProviders, type BackupStorageOptions } from './infrastructure/storage-providers.js';

/** Storage and encryption of backups. Needs the database module, which is global. */
@Module({})
export class BackupStorageModule {
  static forRoot(options: BackupStorageOptions): DynamicModule {
    return {
      module: BackupStorageModule,
      providers: backupStorageProviders(options),
      exports: [BackupStore, BackupSealing, PanelBackupKey, BackupRecipients, OrganisationKeys, SelfBackups],
    };
  }
}
