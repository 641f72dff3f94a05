import type { Readable } from 'node:stream';

/** Size and digest of a stored object, which is encrypted. */
export interface StoredFile {
  readonly bytes: number;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** The store has no object with this key. */
export class StoredBackupMissing extends Error {
  constructor(readonly key: string) {
    super(`${key} is not in the store`);
    this.name = 'StoredBackupMissing';
  }
}

/** The destination refuses, does not answer or lost what was written. The message contains no secrets. */
export class BackupDestinationUnusable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BackupDestinationUnusable';
  }
}

/** Stores encrypted backups. A key consists of parts of letters, digits, `.`, `_` and `-`, joined by `/`. */
export abstract class BackupStore {
  abstract readonly destination: 'directory' | 's3';

  /**
   * Streams `source` to `key`. Resolves when the object is durable and has been read back with the same hash. If
   * `source` fails, its error is thrown and nothing remains in the store.
   * @throws BackupDestinationUnusable
   */
  abstract put(key: string, source: Readable): Promise<StoredFile>;

  /** @throws StoredBackupMissing, BackupDestinationUnusable */
  abstract open(key: string): Promise<Readable>;

  /** Size of an object; null when the store has none with this key. */
  abstract head(key: string): Promise<{ readonly bytes: number } | null>;

  /** All objects whose key begins with `prefix`, in no particular order. */
  abstract list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number }>;

  /** Does nothing when the object does not exist. */
  abstract remove(key: string): Promise<void>;

  /**
   * Tests the destination by writing, reading back, comparing and deleting an object. Also removes unfinished uploads
   * of earlier processes.
   * @throws BackupDestinationUnusable with the reason
   */
  abstract check(): Promise<void>;
}
