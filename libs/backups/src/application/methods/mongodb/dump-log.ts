import { StringDecoder } from 'node:string_decoder';
import { type CollectionFacts, dataOf } from './collection-facts.js';

const MAX_LINE_LENGTH = 64 * 1024;
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}\t/;
const DONE = /^done dumping (.+) \((\d+) (documents?)\)$/;

/**
 * What `mongodump` says while it works. For each collection it tells at the end how many documents it has written:
 * exactly those that are in the archive. Everything else it says, such as its progress, is passed over.
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
   * By the collection that holds them.
   * @param collections those of the archive
   * @returns null unless the number of each of them was told, once, and of nothing else
   */
  documentsOf(database: string, collections: readonly CollectionFacts[]): Readonly<Record<string, number>> | null {
    if (!this.#isSound || this.#documents.size !== collections.length) return null;
    const rows: Record<string, number> = {};
    for (const facts of collections) {
      const told = this.#documents.get(`${database}.${dataOf(facts)}`);
      if (told === undefined || (facts.kind === 'view' && told !== 0)) return null;
      if (facts.kind !== 'view') rows[dataOf(facts)] = told;
    }
    return rows;
  }

  #take(line: string): void {
    const said = line.replace(STAMP, '');
    if (said === line || !said.startsWith('done dumping ')) return;
    const [, namespace, figure, noun] = DONE.exec(said) ?? [];
    const isPlain = namespace !== undefined && (noun === 'document') === (figure === '1');
    if (!isPlain || this.#documents.has(namespace)) this.#isSound = false;
    else this.#documents.set(namespace, Number(figure));
  }
}
