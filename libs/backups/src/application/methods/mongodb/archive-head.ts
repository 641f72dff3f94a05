import { deserialize, type Document } from 'bson';
import { Transform, type TransformCallback } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type CollectionFacts, factsOf } from './collection-facts.js';

const MAGIC = 0x8199e26d;
const TERMINATOR = 0xffffffff;
const WORD_BYTES = 4;
/** Enough for the definitions of some ten thousand collections. */
const MAX_HEAD_BYTES = 64 * 2 ** 20;

/**
 * Passes on an archive of `mongodump` and reads its head, which lists the collections in it: a header, one document for
 * each collection, and a terminator.
 */
export class ArchiveHead extends Transform {
  #held: Buffer | null = Buffer.alloc(0);
  #at = WORD_BYTES;
  readonly #documents: Document[] = [];

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      if (this.#held) this.#read(Buffer.concat([this.#held, chunk]));
      done(null, chunk);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }

  override _flush(done: TransformCallback): void {
    done(this.#held ? new BackupFailed('mongodump wrote no archive.') : null);
  }

  /**
   * The collections of the archive; null when the definition of one is missing. To be read after the stream has ended.
   */
  get collections(): readonly CollectionFacts[] | null {
    const facts = this.#documents.slice(1).map(definedBy);
    return facts.every((each) => each !== null) ? facts : null;
  }

  #read(bytes: Buffer): void {
    this.#held = bytes;
    if (bytes.length < WORD_BYTES) return;
    if (bytes.readUInt32LE(0) !== MAGIC) throw new BackupFailed('mongodump wrote no archive.');
    if (bytes.length > MAX_HEAD_BYTES) throw new BackupFailed('The archive defines more than the panel reads.');
    while (bytes.length >= this.#at + WORD_BYTES) {
      const length = bytes.readUInt32LE(this.#at);
      if (length === TERMINATOR) {
        this.#held = null;
        return;
      }
      if (bytes.length < this.#at + length) return;
      this.#documents.push(deserialize(bytes.subarray(this.#at, this.#at + length)));
      this.#at += length;
    }
  }
}

function definedBy({ collection, metadata }: Document): CollectionFacts | null {
  if (typeof collection !== 'string' || typeof metadata !== 'string') return null;
  try {
    return factsOf(collection, JSON.parse(metadata));
  } catch {
    return null;
  }
}
