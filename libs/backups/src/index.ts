export { BackupSealing } from './application/ports/backup-sealing.js';
export {
  BackupDestinationUnusable,
  BackupStore,
  StoredBackupMissing,
  type StoredFile,
} from './application/ports/backup-store.js';
export { BackupRecipients } from './application/ports/backup-recipients.js';
export { BackupKeyUnavailable, PanelBackupKey, type BackupIdentity } from './application/ports/panel-backup-key.js';
export { OrganisationBackupKeys } from './application/organisation-backup-keys.js';
export { backupStorageEnv, type BackupStorageEnv } from './infrastructure/storage-env.js';
export { BackupStorageModule } from './backup-storage.module.js';
export { refuseHalfS3 } from './infrastructure/stores/store-env.js';
export { SelfBackups, type SelfBackup } from './application/self/self-backups.js';
export { restorePanel } from './infrastructure/self/restore-panel.js';
export { SelfRestoreRefused } from './infrastructure/self/self-restore-refused.js';
export { backupStoreOf } from './infrastructure/stores/store-env.js';
