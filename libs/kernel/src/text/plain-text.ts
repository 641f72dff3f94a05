/** Length in code points, as people and PostgreSQL count characters: an emoji counts as one. */
export function characterCount(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += text.codePointAt(i)! > 0xffff ? 2 : 1) count++;
  return count;
}

/** Why a text cannot be stored as given, or null if it can. */
export function textDefect(text: string): string | null {
  // PostgreSQL rejects NUL and silently replaces lone surrogates. The caller gets an error for both.
  if (text.includes('\0')) return 'must not contain a NUL character';
  return text.isWellFormed() ? null : 'must be well-formed Unicode';
}
