import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Beside the sources: from here, or from where they are built to. */
const FILE = ['../../public/', '../../../../../apps/partner-api/public/', '../../../../apps/partner-api/public/']
  .map((place) => fileURLToPath(new URL(`${place}verify-statement.mjs`, import.meta.url)))
  .find((file) => existsSync(file));

let text: Promise<string> | null = null;

/** The program that checks a statement without us, as it is downloaded. */
export function statementVerifier(): Promise<string> {
  if (!FILE) throw new Error('apps/partner-api/public/verify-statement.mjs is missing');
  text ??= readFile(FILE, 'utf8');
  return text;
}
