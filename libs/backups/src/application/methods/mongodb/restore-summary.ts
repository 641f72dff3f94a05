import { BackupFailed } from '../../../domain/backup-errors.js';

const SUMMARY = /\t(\d+) document\(s\) restored successfully\. (\d+) document\(s\) failed to restore\.\n?$/;

/**
 * What `mongorestore` says at its end must be what the dump said.
 * @param documents of the dump; null when it did not tell @throws BackupFailed
 */
export function assertRestored(said: string, documents: number | null): void {
  const [, restored, failed] = SUMMARY.exec(said) ?? [];
  if (restored === undefined) throw new BackupFailed('mongorestore does not say how many documents it has restored.');
  if (failed !== '0') throw new BackupFailed(`mongorestore could not restore ${failed} of the documents.`);
  if (documents !== null && Number(restored) !== documents)
    throw new BackupFailed(`mongorestore restored ${restored} documents, the dump has ${documents}.`);
}
