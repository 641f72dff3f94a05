import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { BackupIdentity } from '../../libs/backups/src/application/ports/panel-backup-key.js';
import { AgeBackupSealing } from '../../libs/backups/src/infrastructure/sealing/age-backup-sealing.js';
import { isAgeRecipient, newIdentity } from '../../libs/backups/src/infrastructure/sealing/age-key.js';

const MEBIBYTE = 2 ** 20;
const read = async (stream: Readable) => Buffer.concat((await stream.toArray()) as Buffer[]);

const sealingOf = (identities: readonly [BackupIdentity, ...BackupIdentity[]], further: string | null = null) =>
  new AgeBackupSealing({ all: () => Promise.resolve(identities) }, further);

describe('sealing with age', () => {
  let panel: BackupIdentity;
  let sealed: Buffer;
  const plain = randomBytes(3 * MEBIBYTE + 17);
  beforeAll(async () => {
    panel = await newIdentity();
    sealed = await read(sealingOf([panel]).seal(Readable.from([plain]), []));
  });

  it('opens what it has sealed, and the plain text does not occur in the sealed bytes', async () => {
    expect((await read(sealingOf([panel]).open(Readable.from([sealed])))).equals(plain)).toBe(true);
    expect(sealed.includes(plain.subarray(1_000, 1_032))).toBe(false);
  });

  it('opens what was sealed for an older key of the panel, and nothing that was sealed for a foreign key', async () => {
    const newer = await newIdentity();
    expect((await read(sealingOf([newer, panel]).open(Readable.from([sealed])))).equals(plain)).toBe(true);
    await expect(read(sealingOf([newer]).open(Readable.from([sealed])))).rejects.toThrow();
  });

  it.each([
    ['cut off at the border of a piece', () => sealed.subarray(0, sealed.length - 17 - 16)],
    ['cut off in a piece', () => sealed.subarray(0, 2 * MEBIBYTE)],
    ['cut off in the header', () => sealed.subarray(0, 60)],
    ['empty', () => Buffer.alloc(0)],
    ['longer', () => Buffer.concat([sealed, Buffer.alloc(1)])],
    ['changed in one byte', () => Buffer.from(sealed).fill(sealed[MEBIBYTE]! ^ 1, MEBIBYTE, MEBIBYTE + 1)],
  ])('refuses bytes that are %s', async (_, broken) => {
    await expect(read(sealingOf([panel]).open(Readable.from([broken()])))).rejects.toThrow();
  });

  it('passes on the error of its source, even of one that failed before anybody read', async () => {
    const failing = new Readable({ read() {} });
    const result = sealingOf([panel]).seal(failing, []);
    failing.push(randomBytes(10));
    failing.destroy(new Error('the dump ended early'));
    await expect(read(result)).rejects.toThrow('the dump ended early');
  });

  it('ends its source when the reader stops early', async () => {
    const endless = new Readable({ read: () => void endless.push(randomBytes(65_536)) });
    const result = sealingOf([panel]).seal(endless, []);
    const ended = new Promise((resolve) => endless.once('close', resolve));
    for await (const _ of result) break;
    await ended;
    const unread = new Readable({ read() {} });
    const closed = new Promise((resolve) => unread.once('close', resolve));
    sealingOf([panel]).seal(unread, []).destroy();
    await closed;
  });

  it('needs no more memory for a large source', async () => {
    const block = randomBytes(MEBIBYTE);
    const source = Readable.from(
      (function* () {
        for (let i = 0; i < 60; i++) yield block;
      })(),
    );
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    let bytes = 0;
    for await (const chunk of sealingOf([panel]).seal(source, [])) {
      bytes += (chunk as Buffer).length;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(bytes).toBeGreaterThan(60 * MEBIBYTE);
    expect(most).toBeLessThan(150 * MEBIBYTE);
  });

  it.each(['age1', 'ssh-ed25519 AAAA', 'AGE-SECRET-KEY-1X', '', `age1${'q'.repeat(58)}`, ' age1'])(
    'takes %j for no public key',
    (text) => expect(isAgeRecipient(text)).toBe(false),
  );

  it('accepts the public keys that it generates', () => expect(isAgeRecipient(panel.recipient)).toBe(true));
});

const hasAge = spawnSync('age', ['--version']).status === 0;
if (!hasAge && process.env.CI !== 'true') process.stderr.write('skipped: opening with age: it is not installed\n');

(hasAge || process.env.CI === 'true' ? describe : describe.skip)('the age of Debian', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'age-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("opens a backup with the panel's key, with the further key and with the organisation's own", async () => {
    const panel = await newIdentity();
    const keys = ['further', 'organisation'].map((name) => {
      const file = path.join(folder, name);
      const { stderr } = spawnSync('age-keygen', ['-o', file], { encoding: 'utf8' });
      return { file, recipient: /age1\w+/.exec(stderr)![0] };
    });
    writeFileSync(path.join(folder, 'panel'), panel.identity.reveal());
    const plain = randomBytes(200_000);
    const sealing = sealingOf([panel], keys[0]!.recipient);
    const sealed = path.join(folder, 'backup.age');
    writeFileSync(sealed, await read(sealing.seal(Readable.from([plain]), [keys[1]!.recipient])));
    for (const identity of [path.join(folder, 'panel'), ...keys.map(({ file }) => file)])
      expect(execFileSync('age', ['-d', '-i', identity, sealed]).equals(plain)).toBe(true);
  });
});
