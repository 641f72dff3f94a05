import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { treeEntry, type TestRepository } from './repository.js';

const PART = 1024 * 1024;
const ZEROS = Buffer.alloc(PART);
const KINDS = { commit: 1, tree: 2, blob: 3 } as const;

interface Packed {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * Adds a branch with one file of zeros. The pack is a thousandth of its size. It is written by hand, because git would
 * need minutes for many gigabytes.
 * @param megabytes size of the file
 */
export function addZeros(repository: TestRepository, branch: string, megabytes: number): void {
  const zeros = {
    id: idOfZeros(megabytes),
    bytes: Buffer.concat([head('blob', megabytes * PART), deflated(megabytes)]),
  };
  const tree = packed('tree', treeEntry('100644', 'zeros.bin', zeros.id));
  const who = 'Ada <ada@example.com> 1700000000 +0000';
  const text = `tree ${tree.id}\nauthor ${who}\ncommitter ${who}\n\nZeros\n`;
  const commit = packed('commit', Buffer.from(text));
  writePack(join(repository.folder, '.git', 'objects', 'pack'), [commit, tree, zeros]);
  repository.git('update-ref', `refs/heads/${branch}`, commit.id);
}

function packed(kind: keyof typeof KINDS, content: Buffer): Packed {
  const id = sha1(Buffer.from(`${kind} ${content.length}\0`), content);
  return { id: id.toString('hex'), bytes: Buffer.concat([head(kind, content.length), deflateSync(content)]) };
}

/** The header of a pack entry: kind and size, with four bits of the size in the first byte and seven in each other. */
function head(kind: keyof typeof KINDS, size: number): Buffer {
  const bytes = [(KINDS[kind] << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}

/** A zlib stream that repeats one compressed megabyte. For zeros, the checksum depends only on their number. */
function deflated(megabytes: number): Buffer {
  const part = deflateRawSync(ZEROS, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const parts = Array.from({ length: megabytes }, () => part);
  const adler = uint32(((megabytes * PART) % 65_521) * 65_536 + 1);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...parts, Buffer.from([3, 0]), adler]);
}

function idOfZeros(megabytes: number): string {
  const hash: Hash = createHash('sha1').update(`blob ${megabytes * PART}\0`);
  for (let part = 0; part < megabytes; part += 1) hash.update(ZEROS);
  return hash.digest('hex');
}

/** Writes a pack and its index, both in version 2. */
function writePack(folder: string, entries: readonly Packed[]): void {
  const body = Buffer.concat([Buffer.from('PACK'), uint32(2), uint32(entries.length), ...entries.map(bytesOf)]);
  const trailer = sha1(body);
  let offset = 12;
  const listed = entries.map(({ id, bytes }) => {
    offset += bytes.length;
    return { id: Buffer.from(id, 'hex'), crc: uint32(crc32(bytes)), at: uint32(offset - bytes.length) };
  });
  listed.sort((a, b) => Buffer.compare(a.id, b.id));
  const fanout = Array.from({ length: 256 }, (_, first) => uint32(listed.filter(({ id }) => id[0]! <= first).length));
  const columns = [...listed.map(({ id }) => id), ...listed.map(({ crc }) => crc), ...listed.map(({ at }) => at)];
  const index = Buffer.concat([Buffer.from([0xff, 0x74, 0x4f, 0x63]), uint32(2), ...fanout, ...columns, trailer]);
  mkdirSync(folder, { recursive: true });
  const name = join(folder, `pack-${trailer.toString('hex')}`);
  writeFileSync(`${name}.pack`, Buffer.concat([body, trailer]));
  writeFileSync(`${name}.idx`, Buffer.concat([index, sha1(index)]));
}

const bytesOf = ({ bytes }: Packed) => bytes;

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function sha1(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
