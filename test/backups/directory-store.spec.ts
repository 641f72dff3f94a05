import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { SystemRandomness } from '#kernel/crypto/randomness';
import { BackupDestinationUnusable } from '../../libs/backups/src/application/ports/backup-store.js';
import { DirectoryBackupStore } from '../../libs/backups/src/infrastructure/stores/directory-backup-store.js';
import { whileClockIsAhead } from '../support/clock-ahead.js';
import { itStoresBackups } from './backup-store.contract.js';

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

const storeIn = (folder: string) => new DirectoryBackupStore(folder, new SystemRandomness());

describe('a directory for backups', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'backup-dir-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  itStoresBackups(() =>
    Promise.resolve({
      store: storeIn(path.join(folder, 'deep', 'store')),
      leftovers: () => Promise.resolve(filesIn(path.join(folder, 'deep', 'store'))),
      close: () => Promise.resolve(),
    }),
  );

  it('is accessible to its own user only', async () => {
    const store = path.join(folder, 'private');
    await storeIn(store).put('a/one', Readable.from([Buffer.from('x')]));
    expect(statSync(store).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(store, 'a')).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(store, 'a/one')).mode & 0o777).toBe(0o600);
  });

  it('removes what a killed process left a day ago, and nothing younger', async () => {
    const store = path.join(folder, 'stale');
    await mkdir(store);
    for (const name of ['.old.part', '.young.part']) await writeFile(path.join(store, name), 'x');
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await utimes(path.join(store, '.old.part'), yesterday, yesterday);
    // A process whose clock is ahead must not remove it either.
    await whileClockIsAhead(40, () => storeIn(store).check());
    expect(filesIn(store).map((file) => path.basename(file))).toEqual(['.young.part']);
    const keys: string[] = [];
    for await (const { key } of storeIn(store).list('')) keys.push(key);
    expect(keys).toEqual([]);
  });

  it('reports that a part of its path is a file', async () => {
    await writeFile(path.join(folder, 'file'), '');
    await expect(storeIn(path.join(folder, 'file')).check()).rejects.toThrow(BackupDestinationUnusable);
  });
});

const mayMount = process.getuid?.() === 0 && process.platform === 'linux';
if (!mayMount) process.stderr.write('skipped: a full disk: mounting a small file system needs root\n');

(mayMount ? describe : describe.skip)('a directory on a full disk', () => {
  let mounted: string;
  beforeAll(() => {
    mounted = mkdtempSync(path.join(tmpdir(), 'backup-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted]);
  });
  afterAll(async () => {
    execFileSync('umount', [mounted]);
    await rm(mounted, { recursive: true });
  });

  it('reports it, leaves nothing behind, and works again when there is room', async () => {
    const store = storeIn(path.join(mounted, 'store'));
    const large = Readable.from([randomBytes(2 ** 20), randomBytes(2 ** 20)]);
    await expect(store.put('a/one', large)).rejects.toThrow('the disk of the backup directory is full');
    expect(filesIn(mounted)).toEqual([]);
    await expect(store.put('a/one', Readable.from([randomBytes(1000)]))).resolves.toMatchObject({ bytes: 1000 });
  });
});
