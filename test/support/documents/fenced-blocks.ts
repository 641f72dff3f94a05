import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
/** A comment on the line before a block. It is not visible in the rendered page. */
const NOT_RUN = /^<!-- not run in the tests: (.+) -->$/;

/** A fenced code block of a Markdown file. */
export interface FencedBlock {
  /** File and line, such as `docs/portal.md:57`. */
  readonly place: string;
  readonly file: string;
  /** The language after the opening fence. Empty if there is none. */
  readonly language: string;
  readonly text: string;
  /** Why the tests do not run it. Null if they do. */
  readonly notRun: string | null;
}

/** The README and the pages in docs. Decision records are omitted, because they describe the past. */
export function documents(): string[] {
  const pages = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...pages.sort().map((name) => `docs/${name}`)];
}

export const textOfDocument = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

export function fencedBlocks(file: string, text = textOfDocument(file)): FencedBlock[] {
  const lines = text.split('\n');
  const blocks: FencedBlock[] = [];
  let opened: { at: number; language: string } | null = null;
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('```')) continue;
    if (opened === null) {
      opened = { at, language: line.slice(3).trim() };
      continue;
    }
    const notRun = NOT_RUN.exec(lines[opened.at - 1] ?? '')?.[1] ?? null;
    const body = lines.slice(opened.at + 1, at).join('\n');
    blocks.push({ place: `${file}:${opened.at + 1}`, file, language: opened.language, text: body, notRun });
    opened = null;
  }
  if (opened !== null) throw new Error(`${file}:${opened.at + 1}: a block without end`);
  return blocks;
}

/** Commands of the staff CLI in running text, such as `` `cli orgs quota <id>` ``. `a|b` stands for two commands. */
export function commandsInText(text: string): string[][] {
  const spans = text.matchAll(/`(?:npm run cli -- |cli )([a-z][^`]*)`/g);
  return [...spans].flatMap(([, words = '']) => {
    const [command = '', second = '', ...rest] = words.split(/\s+/);
    return second.split('|').map((one) => [command, one, ...rest]);
  });
}
