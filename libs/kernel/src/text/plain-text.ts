/**
 * Characters as people and PostgreSQL count them: code points, so that an emoji is not two, and nothing is free of
 * charge.
 */
export function characterCount(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += text.codePointAt(i)! > 0xffff ? 2 : 1) count++;
  return count;
}

/** Why a text cannot be stored as given, or null when it can. */
export function textDefect(text: string): string | null {
  // PostgreSQL refuses NUL and silently replaces lone surrogates: both are told to the caller instead.
  if (text.includes('\0')) return 'must not contain a NUL character';
  return text.isWellFormed() ? null : 'must be well-formed Unicode';
}
