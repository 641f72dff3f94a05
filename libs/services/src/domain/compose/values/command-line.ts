// Compose separates words only at these. A no-break space is part of a word.
const BLANKS = ' \t\r\n';
const OPERATORS = ';&|<>()`';

export type CommandLine = { readonly words: readonly string[] } | { readonly problem: string };

/**
 * Splits a command as Compose does: blanks separate words, single and double quotes group them, and a backslash takes
 * the next character literally (`\t` and `\n` become tab and line feed) except within single quotes. No shell is used.
 * Compose silently drops everything after an unquoted operator. Here that is a problem.
 */
export function splitCommandLine(line: string): CommandLine {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '\\' && quote !== "'") {
      at += 1;
      if (at >= line.length) return { problem: 'ends in a backslash' };
      word = (word ?? '') + unescape(line.charAt(at));
    } else if (quote === null ? char === '"' || char === "'" : char === quote) {
      quote = quote === null ? (char as '"' | "'") : null;
      word ??= '';
    } else if (quote === null && BLANKS.includes(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (quote === null && OPERATORS.includes(char)) {
      return { problem: `has an unquoted ${char}, which needs a shell: write ["sh", "-c", "…"]` };
    } else word = (word ?? '') + char;
  }
  if (quote !== null) return { problem: `has an unclosed ${quote}` };
  if (word !== null) words.push(word);
  return { words };
}

function unescape(char: string): string {
  if (char === 't') return '\t';
  return char === 'n' ? '\n' : char;
}
