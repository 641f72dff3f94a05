import type { Fact, Language } from '#libs/services';

/** A small repository as people have them, and what must be found in it. */
export interface Sample {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly expected: {
    readonly language: Language;
    readonly version?: string;
    readonly framework?: string | null;
    readonly packageManager?: string | null;
    readonly build?: readonly string[];
    readonly start?: string | null;
    readonly output?: string | null;
    readonly install?: readonly string[];
    /** Facts with their places, `package.json:3`. */
    readonly evidence?: Readonly<Partial<Record<Fact, string>>>;
  };
}

/** Text with the indentation of its first line taken away. */
export function file(text: string): string {
  const lines = text.replace(/^\n/, '').split('\n');
  const indent = /^ */.exec(lines[0] ?? '')![0].length;
  return lines.map((line) => line.slice(Math.min(indent, /^ */.exec(line)![0].length))).join('\n');
}

export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
