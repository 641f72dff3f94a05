import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { LINE_TYPES, type ImportLine, type LineType, type ReadLine } from '../../application/import/import-line.js';
import { lineGapProblems, lineRuleProblems } from './line-rules.js';
import { lineSchemas } from './line-schemas.js';
import { textLines, type TextLine } from './text-lines.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an import file: one JSON object per line, each with its `type`. Every line is checked on its own; empty lines
 * are skipped. Problems never quote a line, because it may contain a key.
 * @param now times after it are refused
 */
export async function* readJsonLines(source: AsyncIterable<Buffer>, now: Date): AsyncGenerator<ReadLine> {
  const schemas = lineSchemas(now);
  for await (const line of textLines(source)) {
    if (line.text?.trim() === '') continue;
    yield read(line, schemas);
  }
}

function read({ number, text, bytes }: TextLine, schemas: Readonly<Record<LineType, z.ZodType>>): ReadLine {
  const refused = (...messages: readonly string[]) => {
    return { bytes, problems: messages.map((message) => ({ line: number, message })), name: null };
  };
  if (text === null) return refused('must be UTF-8 text of at most 1 MiB');
  const fields = fieldsOf(text);
  if (!fields) return refused('must be a JSON object');
  const type = LINE_TYPES.find((known) => known === fields.type);
  if (!type) return refused(`type must be one of ${LINE_TYPES.join(', ')}`);
  const shape = schemas[type].safeParse(fields);
  const messages = [
    ...(shape.success ? [] : shape.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)),
    ...lineGapProblems(type, fields),
    ...(shape.success ? lineRuleProblems({ type, ...(shape.data as object) } as ImportLine) : []),
  ];
  if (shape.success && messages.length === 0) {
    const line = { type, line: number, ref: null, hash: hashOf(fields), ...(shape.data as object) } as ImportLine;
    return { bytes, line };
  }
  const name = typeof fields.ref === 'string' ? { type, ref: fields.ref } : null;
  return { ...refused(...messages), name };
}

/** Null if the text is not a JSON object; members that are null count as missing. */
function fieldsOf(text: string): Fields | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function hashOf(fields: Fields): string {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
