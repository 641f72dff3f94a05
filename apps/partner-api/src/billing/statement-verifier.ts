import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The path of the program, seen from the sources or from the compiled code. */
const FILE = ['../../public/', '../../../../../apps/partner-api/public/', '../../../../apps/partner-api/public/']
  .map((place) => fileURLToPath(new URL(`${place}verify-statement.mjs`, import.meta.url)))
  .find((file) => existsSync(file));

let text: Promise<string> | null = null;

/** The downloadable program that verifies a statement offline. */
export function statementVerifier(): Promise<string> {
  if (!FILE) throw new Error('apps/partner-api/public/verify-statement.mjs is missing');
  text ??= readFile(FILE, 'utf8');
  return text;
}
