import { StringDecoder } from 'node:string_decoder';
import { type CollectionFacts, dataOf } from './collection-facts.js';

const MAX_LINE_LENGTH = 64 * 1024;
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}\t/;
const DONE = /^done dumping (.+) \((\d+) (documents?)\)$/;

/**
 * Reads the messages of `mongodump`. For each collection, it reports at the end how many documents it has written to
 * the archive. All other messages, such as those about its progress, are ignored.
 */
export class DumpLog {
  readonly #decoder = new StringDecoder('utf8');
  readonly #documents = new Map<string, number>();
  #line = '';
  #isSound = true;

  add(chunk: Buffer): void {
    const lines = (this.#line + this.#decoder.write(chunk)).split('\n');
    this.#line = lines.pop() ?? '';
    if (this.#line.length > MAX_LINE_LENGTH) {
      this.#isSound = false;
      this.#line = '';
    }
    for (const line of lines) this.#take(line);
  }

  /**
   * The number of documents by collection.
   * @param collections the collections of the archive
   * @returns null unless exactly these collections were reported, each of them once
   */
  documentsOf(database: string, collections: readonly CollectionFacts[]): Readonly<Record<string, number>> | null {
    if (!this.#isSound || this.#documents.size !== collections.length) return null;
    const rows: Record<string, number> = {};
    for (const facts of collections) {
      const documents = this.#documents.get(`${database}.${dataOf(facts)}`);
      if (documents === undefined || (facts.kind === 'view' && documents !== 0)) return null;
      if (facts.kind !== 'view') rows[dataOf(facts)] = documents;
    }
    return rows;
  }

  #take(line: string): void {
    const message = line.replace(STAMP, '');
    if (message === line || !message.startsWith('done dumping ')) return;
    const [, namespace, figure, noun] = DONE.exec(message) ?? [];
    const isPlain = namespace !== undefined && (noun === 'document') === (figure === '1');
    if (!isPlain || this.#documents.has(namespace)) this.#isSound = false;
    else this.#documents.set(namespace, Number(figure));
  }
}
