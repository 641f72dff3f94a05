import { DomainError } from '#kernel/errors';
import { BackupFailed } from '../domain/backup-errors.js';
import { BackupDestinationUnusable, StoredBackupMissing } from './ports/backup-store.js';

/** Why it failed, for the owner of the service. What nobody has foreseen stays in the log. */
export function failureText(error: unknown, ending: AbortSignal): string {
  if (ending.aborted) return 'The worker ended in the middle of it.';
  if (error instanceof BackupFailed || error instanceof DomainError) return error.message;
  if (error instanceof BackupDestinationUnusable) return `The destination of backups: ${error.message}.`;
  if (error instanceof StoredBackupMissing) return 'The backup is no longer in the store.';
  if (error instanceof Error && error.name === 'TimeoutError') return 'It took longer than it may.';
  return 'It failed for a reason that the panel does not know.';
}

/** Whether it says nothing of the backup itself: the engine, its disk or the destination are to blame. */
export function isCircumstance(error: unknown): boolean {
  return error instanceof DomainError || error instanceof BackupDestinationUnusable;
}
