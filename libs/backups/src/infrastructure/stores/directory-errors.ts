import { BackupDestinationUnusable } from '../../application/ports/backup-store.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk of the backup directory is full',
  EDQUOT: 'the quota of the backup directory is used up',
  EFBIG: 'the file system of the backup directory takes no file of this size',
  EACCES: 'the backup directory may not be written to (permission denied)',
  EPERM: 'the backup directory may not be written to (not permitted)',
  EROFS: 'the file system of the backup directory is read-only',
  EIO: 'the disk of the backup directory reports an input/output error',
  ENOTDIR: 'a part of the path of the backup directory is a file',
  EEXIST: 'a part of the path of the backup directory is a file',
  EMFILE: 'too many files are open',
};

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Translates an error of the file system into words; other errors are returned unchanged. */
export function directoryError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof BackupDestinationUnusable) return error;
  return new BackupDestinationUnusable(REASONS[code] ?? `the backup directory does not work (${code})`);
}
