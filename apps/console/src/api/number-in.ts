/**
 * The number that somebody typed. What is none goes to the API as it was typed, which says at its field what is wrong:
 * JSON knows no "not a number" and would turn it into null.
 */
export function numberIn(text: string): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : (text as never);
}
