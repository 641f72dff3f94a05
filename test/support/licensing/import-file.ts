import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { HistoryImport, readJsonLines, type ImportReport } from '#libs/licensing';
import { Clock } from '#kernel/time/clock';
import { Invalid } from '#kernel/errors';
import { ownerLines } from '../builders/import-lines.js';

export type Line = Readonly<Record<string, unknown>>;

const SILENT = { read: () => undefined, startLicenses: () => undefined, licensesDone: () => undefined };

export function jsonLines(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Imports lines as the CLI does, in the process of the test and with its clock. */
export function importLines(
  app: INestApplicationContext,
  lines: readonly Line[] | string,
  dryRun = false,
): Promise<ImportReport> {
  const text = typeof lines === 'string' ? lines : jsonLines(lines);
  const source: AsyncIterable<Buffer> = Readable.from([Buffer.from(text)]);
  const read = readJsonLines(source, app.get(Clock, { strict: false }).now());
  return app.get(HistoryImport, { strict: false }).run(read, dryRun, SILENT);
}

/** Writes a temporary file. `remove` deletes it with its folder. */
export function importFile(text: string): { readonly file: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-import-'));
  const file = path.join(folder, 'history.jsonl');
  writeFileSync(file, text);
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * The errors that an import reports for the lines. They come after six valid lines: the partners `a` and `b`, each with
 * a contract and a customer.
 */
export async function importProblems(
  app: INestApplicationContext,
  lines: readonly Line[] | string,
  dryRun = false,
): Promise<string[]> {
  const before = jsonLines([...ownerLines('a'), ...ownerLines('b')]);
  const given = before + (typeof lines === 'string' ? lines : jsonLines(lines));
  try {
    await importLines(app, given, dryRun);
  } catch (error) {
    if (error instanceof Invalid && error.slug === 'import-refused') return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}
