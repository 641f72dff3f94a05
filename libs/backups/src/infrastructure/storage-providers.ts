import type { Provider } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import { Clock } from '#kernel/time/clock';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing } from '#platform/key-ring';
import { BackupRecipients } from '../application/ports/backup-recipients.js';
import { BackupSealing } from '../application/ports/backup-sealing.js';
import { BackupStore } from '../application/ports/backup-store.js';
import { OrganisationKeys } from '../application/ports/organisation-keys.js';
import { PanelArchive } from '../application/ports/panel-archive.js';
import { PanelBackupKey } from '../application/ports/panel-backup-key.js';
import { SelfBackups } from '../application/self/self-backups.js';
import { SqlOrganisationKeys } from './keys/sql-organisation-keys.js';
import { SqlPanelBackupKey } from './keys/sql-panel-backup-key.js';
import { AgeBackupSealing } from './sealing/age-backup-sealing.js';
import { SealedPanelArchive } from './self/sealed-panel-archive.js';
import type { BackupStorageEnv } from './storage-env.js';
import { backupStoreOf } from './stores/store-env.js';

export interface BackupStorageOptions {
  readonly env: BackupStorageEnv;
  readonly keyRing: KeyRing | null;
  readonly databaseUrl: string;
}

/** The providers of storage and encryption for the given settings. */
export function backupStorageProviders({ env, keyRing, databaseUrl }: BackupStorageOptions): Provider[] {
  const furtherRecipient = env.BACKUP_AGE_RECIPIENT ?? null;
  return [
    {
      provide: BackupStore,
      useFactory: (randomness: Randomness) => backupStoreOf(env, randomness),
      inject: [Randomness],
    },
    {
      provide: PanelBackupKey,
      useFactory: (transactions: TypeOrmTransactions, clock: Clock, randomness: Randomness) =>
        new SqlPanelBackupKey(transactions, keyRing, clock, randomness),
      inject: [TypeOrmTransactions, Clock, Randomness],
    },
    {
      provide: BackupSealing,
      useFactory: (panelKey: PanelBackupKey) => new AgeBackupSealing(panelKey, furtherRecipient),
      inject: [PanelBackupKey],
    },
    {
      provide: OrganisationKeys,
      useFactory: (transactions: TypeOrmTransactions) => new SqlOrganisationKeys(transactions),
      inject: [TypeOrmTransactions],
    },
    { provide: BackupRecipients, useExisting: OrganisationKeys },
    {
      provide: PanelArchive,
      useFactory: (panelKey: PanelBackupKey) =>
        new SealedPanelArchive({ databaseUrl, keyRing, furtherRecipient }, panelKey),
      inject: [PanelBackupKey],
    },
    SelfBackups,
  ];
}
