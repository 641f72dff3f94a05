import type { Readable } from 'node:stream';

/** What lies in the store after a `put`: figures of the stored, sealed bytes. */
export interface StoredFile {
  readonly bytes: number;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** Nothing lies under this key. */
export class StoredBackupMissing extends Error {
  constructor(readonly key: string) {
    super(`${key} is not in the store`);
    this.name = 'StoredBackupMissing';
  }
}

/** The destination refuses, does not answer, or does not hold what it was given. The message carries no secret. */
export class BackupDestinationUnusable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BackupDestinationUnusable';
  }
}

/** Where sealed backups lie. Keys are parts of letters, digits, `.`, `_` and `-`, joined by `/`. */
export abstract class BackupStore {
  abstract readonly destination: 'directory' | 's3';

  /**
   * Streams `source` to `key`. Resolves once it is durable and has been read back with the same hash. When the source
   * fails, its error is passed on and nothing is left behind.
   * @throws BackupDestinationUnusable
   */
  abstract put(key: string, source: Readable): Promise<StoredFile>;

  /** @throws StoredBackupMissing, BackupDestinationUnusable */
  abstract open(key: string): Promise<Readable>;

  abstract head(key: string): Promise<{ readonly bytes: number } | null>;

  /** Everything whose key begins with `prefix`, in no particular order. */
  abstract list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number }>;

  /** Removing what is gone is no error. */
  abstract remove(key: string): Promise<void>;

  /**
   * Writes, reads back, compares and deletes, and clears away what earlier processes left unfinished.
   * @throws BackupDestinationUnusable with the reason
   */
  abstract check(): Promise<void>;
}
