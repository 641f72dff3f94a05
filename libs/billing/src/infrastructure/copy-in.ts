import { finished } from 'node:stream/promises';
import { Utf8Buffer } from '#kernel/utf8-buffer';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';

const CHUNK = 65_536;

/** Rows in PostgreSQL's text format, held until they are sent. */
export class CopyRows {
  readonly #chunks: Buffer[] = [];
  #filling: Utf8Buffer | null = null;
  /** Bytes, those in the chunk that is being filled left out. */
  size = 0;

  /** @param row of fields by `copyText`, parted by tabs and ended by a line feed; shorter than a third of a chunk */
  add(row: string): void {
    this.#filling ??= new Utf8Buffer(CHUNK);
    if (this.#filling.write(row)) return;
    this.#keep(this.#filling);
    if (!this.#filling.write(row)) throw new RangeError('a row is too long');
  }

  take(): Buffer[] {
    if (this.#filling) this.#keep(this.#filling);
    this.size = 0;
    return this.#chunks.splice(0);
  }

  #keep(filled: Utf8Buffer): void {
    const chunk = Buffer.from(filled.take());
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.size += chunk.length;
  }
}

/**
 * Sends rows through `COPY ... FROM STDIN`, on the connection of the open transaction.
 * @param target table and columns, `billing.statement_parts (figures, ...)`
 */
export async function copyIn(writer: EntityManager, target: string, rows: CopyRows): Promise<void> {
  const chunks = rows.take();
  if (chunks.length === 0) return;
  const runner = writer.queryRunner;
  if (!runner) throw new Error('COPY needs the connection of an open transaction');
  const client = (await runner.connect()) as PoolClient;
  const stream = client.query(from(`copy ${target} from stdin`));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
}

/** A text as a field of a row; null is not among them. */
export function copyText(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character) : text;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
