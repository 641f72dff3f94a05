import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Randomness } from '#kernel/crypto/randomness';
import { BackupStore, StoredBackupMissing, type StoredFile } from '../../application/ports/backup-store.js';
import { codeOf, directoryError } from './directory-errors.js';
import { measure, MeasuredSource } from './measured-stream.js';
import { assertSame, checkByRoundTrip } from './store-check.js';
import { assertStoreKey, assertStorePrefix } from './store-key.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const UNFINISHED = /^\..*\.part$/;
/** No upload takes this long, so an older unfinished file was left by a process that died. */
const UNFINISHED_MS = 24 * 3_600_000;

/** Stores backups in a folder on this machine that only the panel's own user can enter. */
export class DirectoryBackupStore extends BackupStore {
  readonly destination = 'directory';

  constructor(
    /** An absolute path. */
    private readonly folder: string,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  async put(key: string, source: Readable): Promise<StoredFile> {
    const target = this.pathOf(key);
    const unfinished = path.join(path.dirname(target), `.${this.randomness.uuid()}.part`);
    const measured = new MeasuredSource(source);
    try {
      await this.makeFolder(path.dirname(target));
      const file = await open(unfinished, 'wx', FILE_MODE);
      await writeDurably(file, measured.stream);
      const sent = measured.result();
      assertSame(sent, await measure(createReadStream(unfinished)));
      await rename(unfinished, target);
      await syncFolder(path.dirname(target));
      return sent;
    } catch (error) {
      source.destroy();
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw measured.failure ? measured.failure.error : directoryError(error);
    }
  }

  async open(key: string): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r').catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? new StoredBackupMissing(key) : directoryError(error);
    });
    return file.createReadStream();
  }

  async head(key: string): Promise<{ bytes: number } | null> {
    try {
      return { bytes: (await stat(this.pathOf(key))).size };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw directoryError(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
    assertStorePrefix(prefix);
    for await (const file of this.filesBelow(prefix.slice(0, prefix.lastIndexOf('/') + 1))) {
      const key = path.relative(this.folder, file);
      if (!key.startsWith(prefix) || UNFINISHED.test(path.basename(file))) continue;
      const found = await this.head(key);
      if (found) yield { key, bytes: found.bytes };
    }
  }

  async remove(key: string): Promise<void> {
    try {
      await rm(this.pathOf(key), { force: true });
    } catch (error) {
      throw directoryError(error);
    }
  }

  async check(): Promise<void> {
    await checkByRoundTrip(this, this.randomness);
    const before = (await this.diskTime()) - UNFINISHED_MS;
    for await (const file of this.filesBelow('')) {
      if (!UNFINISHED.test(path.basename(file))) continue;
      const found = await stat(file).catch(() => null);
      if (found && found.mtimeMs < before) await rm(file, { force: true });
    }
  }

  /**
   * Unix time in milliseconds by the clock of the file system, which may differ from that of this process. With the
   * wrong clock, uploads of other workers could look old enough to be removed.
   */
  private async diskTime(): Promise<number> {
    const probe = path.join(this.folder, `.${this.randomness.uuid()}.part`);
    try {
      await writeFile(probe, '', { mode: FILE_MODE });
      return (await stat(probe)).mtimeMs;
    } catch (error) {
      throw directoryError(error);
    } finally {
      await rm(probe, { force: true }).catch(() => undefined);
    }
  }

  private pathOf(key: string): string {
    assertStoreKey(key);
    return path.join(this.folder, key);
  }

  private async makeFolder(folder: string): Promise<void> {
    const made = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    if (made === undefined) return;
    // A new folder survives a power failure only if its parent folder has been synced as well.
    for (let above = folder; above.startsWith(path.dirname(made)); above = path.dirname(above)) {
      await syncFolder(above);
      if (above === path.dirname(above)) return;
    }
  }

  private async *filesBelow(inside: string): AsyncGenerator<string> {
    const entries = await readdir(path.join(this.folder, inside), { withFileTypes: true }).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw directoryError(error);
    });
    for (const entry of entries) {
      if (entry.isDirectory()) yield* this.filesBelow(path.join(inside, entry.name));
      else if (entry.isFile()) yield path.join(this.folder, inside, entry.name);
    }
  }
}

async function writeDurably(file: FileHandle, source: Readable): Promise<void> {
  try {
    await writeFile(file, source);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
