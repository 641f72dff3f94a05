import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type BackupStore, StoredBackupMissing } from '../../libs/backups/src/application/ports/backup-store.js';

export interface StoreBed {
  readonly store: BackupStore;
  /** The names of everything in the destination, including unfinished uploads. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
}

const MEBIBYTE = 2 ** 20;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function readAll(stream: Readable): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const chunk of stream) read.push(chunk as Buffer);
  return Buffer.concat(read);
}

/** Tests that every destination of backups has to pass. */
export function itStoresBackups(start: () => Promise<StoreBed>): void {
  let bed: StoreBed;
  beforeAll(async () => (bed = await start()));
  afterAll(() => bed.close());

  it('returns the bytes that were put, with their size and hash', async () => {
    const content = randomBytes(100_000);
    const stored = await bed.store.put('a/b/one.age', Readable.from([content.subarray(0, 5), content.subarray(5)]));
    expect(stored).toEqual({ bytes: content.length, sha256: sha256(content) });
    expect((await readAll(await bed.store.open('a/b/one.age'))).equals(content)).toBe(true);
    expect(await bed.store.head('a/b/one.age')).toEqual({ bytes: content.length });
  });

  it('stores an empty file', async () => {
    expect(await bed.store.put('a/empty', Readable.from([]))).toEqual({ bytes: 0, sha256: sha256(Buffer.alloc(0)) });
    expect(await readAll(await bed.store.open('a/empty'))).toHaveLength(0);
  });

  it('stores a file of many parts without holding it in memory', async () => {
    const block = randomBytes(MEBIBYTE);
    const hash = createHash('sha256');
    for (let i = 0; i < 70; i++) hash.update(block);
    const source = Readable.from(
      (function* () {
        for (let i = 0; i < 70; i++) yield block;
      })(),
    );
    expect(await bed.store.put('large.age', source)).toEqual({ bytes: 70 * MEBIBYTE, sha256: hash.digest('hex') });
  });

  it('replaces the object with the same key', async () => {
    await bed.store.put('again', Readable.from([Buffer.from('first')]));
    await bed.store.put('again', Readable.from([Buffer.from('second')]));
    expect((await readAll(await bed.store.open('again'))).toString()).toBe('second');
  });

  it('reports that an object is missing', async () => {
    await expect(bed.store.open('a/nothing')).rejects.toThrow(StoredBackupMissing);
    expect(await bed.store.head('a/nothing')).toBeNull();
    await expect(bed.store.remove('a/nothing')).resolves.toBeUndefined();
  });

  it('lists the keys that begin with a prefix', async () => {
    for (const key of ['wal/x/1', 'wal/x/2', 'wal/xy', 'wax'])
      await bed.store.put(key, Readable.from([Buffer.from(key)]));
    const found = async (prefix: string) => {
      const keys: string[] = [];
      for await (const { key, bytes } of bed.store.list(prefix)) keys.push(`${key} ${bytes}`);
      return keys.sort();
    };
    expect(await found('wal/x/')).toEqual(['wal/x/1 7', 'wal/x/2 7']);
    expect(await found('wal/x')).toEqual(['wal/x/1 7', 'wal/x/2 7', 'wal/xy 6']);
    expect(await found('none/')).toEqual([]);
    expect(await found('')).toContain('wax 3');
  });

  it('removes an object', async () => {
    await bed.store.put('gone', Readable.from([Buffer.from('x')]));
    await bed.store.remove('gone');
    expect(await bed.store.head('gone')).toBeNull();
  });

  it.each([1, 40])(
    'passes on the error of a source that fails after %i MiB, and leaves nothing behind',
    async (mebibytes) => {
      const before = await bed.leftovers();
      const block = randomBytes(MEBIBYTE);
      const source = Readable.from(
        // eslint-disable-next-line @typescript-eslint/require-await
        (async function* () {
          for (let i = 0; i < mebibytes; i++) yield block;
          throw new Error('the dump ended early');
        })(),
      );
      await expect(bed.store.put('half.age', source)).rejects.toThrow('the dump ended early');
      expect(await bed.store.head('half.age')).toBeNull();
      expect(await bed.leftovers()).toEqual(before);
    },
  );

  it('keeps the previous object when its replacement fails', async () => {
    await bed.store.put('kept', Readable.from([Buffer.from('first')]));
    const source = new Readable({ read() {} });
    const putting = bed.store.put('kept', source);
    source.push('second');
    source.destroy(new Error('cancelled'));
    await expect(putting).rejects.toThrow('cancelled');
    expect((await readAll(await bed.store.open('kept'))).toString()).toBe('first');
  });

  it.each(['../x', 'a/../x', '/etc/passwd', 'a//b', 'a/.hidden', '', 'a\0b', 'a b', `${'x'.repeat(600)}`])(
    'refuses the key %j',
    async (key) => {
      await expect(bed.store.put(key, Readable.from([Buffer.from('x')]))).rejects.toThrow(RangeError);
      await expect(bed.store.open(key)).rejects.toThrow(RangeError);
      await expect(bed.store.remove(key)).rejects.toThrow(RangeError);
    },
  );

  it('passes its own check, which leaves nothing behind', async () => {
    const before = await bed.leftovers();
    await expect(bed.store.check()).resolves.toBeUndefined();
    expect(await bed.leftovers()).toEqual(before);
  });
}
