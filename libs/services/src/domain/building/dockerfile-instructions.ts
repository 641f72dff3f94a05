export interface Instruction {
  /** Number of the first line, counted from 1. */
  readonly line: number;
  /** Offsets in the text: `start` is inclusive, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** In capital letters. */
  readonly keyword: string;
  /** Everything after the keyword, joined to one line. */
  readonly rest: string;
}

export interface DockerfileDefect {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/**
 * Splits a Dockerfile as the engine does: a line that ends with the escape character is continued by the next one
 * without a space, and comments in between are skipped. A text that the engine could split differently is refused,
 * because an image could be hidden in it.
 */
export function readInstructions(text: string): readonly Instruction[] | DockerfileDefect {
  const escape = escapeOf(text);
  if (typeof escape !== 'string') return escape;
  const found: Instruction[] = [];
  let open: { line: number; start: number; parts: string[] } | null = null;
  let offset = 0;
  for (const [index, raw] of text.split('\n').entries()) {
    const start = offset;
    offset += raw.length + 1;
    const line = raw.replace(/\r$/, '');
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [end = ''] = ENDS[escape].exec(line) ?? [];
    if (end.trimEnd().length > 1)
      return { line: index + 1, message: `A line must not end with ${escape}${escape}: write it inside of quotes.` };
    open ??= { line: index + 1, start, parts: [] };
    open.parts.push(line.slice(0, line.length - end.length));
    if (end !== '') continue;
    found.push(instructionOf(open, Math.min(offset, text.length)));
    open = null;
  }
  if (open) found.push(instructionOf(open, text.length));
  return found;
}

/** The options at the start of an instruction's arguments. Null if quotes or backslashes obscure their meaning. */
export function optionsOf(rest: string): string | null {
  const [options = ''] = /^(?:--\S*(?:\s+|$))*/.exec(rest) ?? [];
  return /["'\\]/.test(options) ? null : options;
}

type Escape = '\\' | '`';

const ENDS: Readonly<Record<Escape, RegExp>> = { '\\': /\\+[ \t]*$/, '`': /`+[ \t]*$/ };

/** White space for the engine or for JavaScript, but not for both: U+0085 for the engine, U+FEFF for JavaScript. */
const AMBIGUOUS_SPACE = /[\u0085\ufeff]/;
const ESCAPE_LINE = /^\s*#\s*escape\s*=/i;

/** The character that continues an instruction on the next line. */
export function escapeOf(text: string): Escape | DockerfileDefect {
  const lines = text.replace(/^\ufeff(?!\s*#)/, '').split('\n');
  const ambiguous = lines.findIndex((line) => AMBIGUOUS_SPACE.test(line));
  if (ambiguous >= 0)
    return { line: ambiguous + 1, message: 'The characters U+0085 and U+FEFF are not allowed in a Dockerfile.' };
  const named = lines.findIndex((line) => ESCAPE_LINE.test(line));
  if (named < 0) return '\\';
  const escape = /^#[ \t]*escape[ \t]*=[ \t]*([\\`])[ \t]*\r?$/.exec(lines[named] ?? '')?.[1];
  // After any other comment the directive would be an ordinary comment.
  const isAtTop = named === 0 || (named === 1 && /^#[ \t]*syntax[ \t]*=/.test(lines[0] ?? ''));
  const isTwice = lines.slice(named + 1).some((line) => ESCAPE_LINE.test(line));
  if (escape === undefined || !isAtTop || isTwice)
    return { line: named + 1, message: 'The escape directive has to be the first line: # escape=` or # escape=\\' };
  return escape === '`' ? '`' : '\\';
}

function instructionOf(open: { line: number; start: number; parts: string[] }, end: number): Instruction {
  const whole = open.parts.join('').trim();
  const [keyword = ''] = /^\S+/.exec(whole) ?? [];
  const rest = whole.slice(keyword.length).trim();
  return { line: open.line, start: open.start, end, keyword: keyword.toUpperCase(), rest };
}
