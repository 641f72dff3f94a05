export { BackupsModule, type BackupsOptions } from './backups.module.js';
export { Backups, type BackupDownload } from './application/backups.js';
export { BackupAlarms } from './application/backup-alarms.js';
export { DumpRunner } from './application/backing-up/dump-runner.js';
export { ProofRunner } from './application/backing-up/proof-runner.js';
export { LogRound } from './application/pitr/log-round.js';
export { MomentRestores } from './application/pitr/moment-restores.js';
export { PointInTime, type RecoveryStanding } from './application/pitr/point-in-time.js';
export { StoredBackupChecks } from './application/stored-backup-checks.js';
export { Retention } from './application/backing-up/retention.js';
export { ScheduledBackups } from './application/backing-up/scheduled-backups.js';
export { RestoreRunner } from './application/restoring/restore-runner.js';
export { Restores } from './application/restoring/restores.js';
export { Policies, type PolicyChange } from './application/policies.js';
export type { BackupFilter, BackupPage } from './application/ports/backup-repository.js';
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
export type { Backup } from './domain/backup.js';
export { COMPARISONS } from './domain/inventory.js';
export { type BackupPolicy, VERIFY_RULES, type VerifyRule } from './domain/backup-policy.js';
export {
  BACKUP_KINDS,
  BACKUP_STATUSES,
  BACKUP_TRIGGERS,
  VERIFICATION_STATUSES,
  type BackupKind,
  type BackupState,
  type BackupStatus,
  type BackupTrigger,
  type Verification,
  type VerificationStatus,
} from './domain/backup-state.js';
export {
  RESTORE_STATUSES,
  RESTORE_TARGETS,
  type Restore,
  type RestoreStatus,
  type RestoreTarget,
} from './domain/restore.js';
export { backupsEnv, backupSettingsOf } from './infrastructure/backups-env.js';
