import { finished } from 'node:stream/promises';
import type { Utf8Chunks } from '#kernel/text/utf8-buffer';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';

/**
 * Sends rows through `COPY ... FROM STDIN`, on the connection of the open transaction.
 * @param target table and columns, `billing.statement_parts (figures, ...)`
 * @param rows in PostgreSQL's text format: fields separated by tabs, each row ended by a line feed
 */
export async function copyIn(writer: EntityManager, target: string, rows: Utf8Chunks): Promise<void> {
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

/** A text as a field of a row, never null. */
export function copyText(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character) : text;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
