import { BackupFailed } from '../../../domain/backup-errors.js';

const SUMMARY = /\t(\d+) document\(s\) restored successfully\. (\d+) document\(s\) failed to restore\.\n?$/;

/**
 * Compares the summary that `mongorestore` prints at its end with the dump.
 * @param documents number of documents in the dump; null when unknown
 * @throws BackupFailed when documents failed to be restored, or when their number differs
 */
export function assertRestored(said: string, documents: number | null): void {
  const [, restored, failed] = SUMMARY.exec(said) ?? [];
  if (restored === undefined) throw new BackupFailed('mongorestore does not say how many documents it has restored.');
  if (failed !== '0') throw new BackupFailed(`mongorestore could not restore ${failed} of the documents.`);
  if (documents !== null && Number(restored) !== documents)
    throw new BackupFailed(`mongorestore restored ${restored} documents, the dump has ${documents}.`);
}
