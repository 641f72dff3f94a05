import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';

/**
 * Sends rows in PostgreSQL's text format through `COPY ... FROM STDIN`, on the connection of the open transaction.
 * @param target table and columns, `billing.statement_parts (figures, ...)`
 */
export async function copyIn(writer: EntityManager, target: string, rows: string): Promise<void> {
  const runner = writer.queryRunner;
  if (!runner) throw new Error('COPY needs the connection of an open transaction');
  const client = (await runner.connect()) as PoolClient;
  const stream = client.query(from(`copy ${target} from stdin`));
  stream.end(rows);
  await finished(stream);
}

/** A text as a field of a row; null is not among them. */
export function copyText(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character) : text;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
