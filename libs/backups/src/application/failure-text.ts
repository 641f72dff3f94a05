import { Logger } from '@nestjs/common';
import { DomainError } from '#kernel/errors';
import { BackupFailed, DiskNearlyFull } from '../domain/backup-errors.js';
import { BackupDestinationUnusable, StoredBackupMissing } from './ports/backup-store.js';

const logger = new Logger('Backups');
const MAX_FRAMES = 8;

/**
 * The reason of a failure for the owner of the service. Unexpected errors could contain secrets, so they get no detail;
 * the log tells the operator where they arose, without their message.
 */
export function failureText(error: unknown, ending: AbortSignal): string {
  if (ending.aborted) return 'The worker ended in the middle of it.';
  if (error instanceof BackupFailed || error instanceof DomainError) return error.message;
  if (error instanceof BackupDestinationUnusable) return `The destination of backups: ${error.message}.`;
  if (error instanceof StoredBackupMissing) return 'The backup is no longer in the store.';
  if (error instanceof Error && error.name === 'TimeoutError') return 'It took longer than it may.';
  logger.error(`An unexpected failure: ${whereabouts(error)}`);
  return 'It failed for a reason that the panel does not know. The log of the worker says where it arose.';
}

function whereabouts(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.slice(0, MAX_FRAMES).map((frame) => frame.trim())].join(' ');
}

/**
 * Whether the error says nothing about the backup itself, because the engine, its disk or the destination caused it.
 */
export function isCircumstance(error: unknown): boolean {
  return [DomainError, BackupDestinationUnusable, DiskNearlyFull].some((kind) => error instanceof kind);
}
