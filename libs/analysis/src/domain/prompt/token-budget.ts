import type { PromptFile } from './prompt.js';

/** A cautious estimate without a tokenizer. Most texts have more bytes per token. */
const BYTES_PER_TOKEN = 3;

export function tokensOf(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_TOKEN);
}

/**
 * The files that fit into a budget, in order. Each gets at most its share, so that one long file does not crowd out the
 * others.
 */
export function withinBudget(files: readonly PromptFile[], tokens: number): readonly PromptFile[] {
  const share = Math.max(200, Math.floor(tokens / 4));
  let left = tokens;
  const kept: PromptFile[] = [];
  for (const { path, text } of files) {
    const cut = cutTo(text, Math.min(share, left));
    if (cut === '') continue;
    kept.push({ path, text: cut });
    left -= tokensOf(cut) + tokensOf(path) + 20;
    if (left <= 0) break;
  }
  return kept;
}

function cutTo(text: string, tokens: number): string {
  if (tokensOf(text) <= tokens) return text;
  const bytes = Buffer.from(text).subarray(0, Math.max(0, tokens * BYTES_PER_TOKEN));
  // The last character may be truncated.
  return bytes.toString('utf8').replace(/\ufffd$/, '');
}
