export { BackupSealing } from './application/ports/backup-sealing.js';
export {
  BackupDestinationUnusable,
  BackupStore,
  StoredBackupMissing,
  type StoredFile,
} from './application/ports/backup-store.js';
