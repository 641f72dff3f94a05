/** Why a text cannot be stored as given, or null when it can. */
export function textDefect(text: string): string | null {
  // PostgreSQL refuses NUL and silently replaces lone surrogates: both are told to the caller instead.
  if (text.includes('\0')) return 'must not contain a NUL character';
  return text.isWellFormed() ? null : 'must be well-formed Unicode';
}
