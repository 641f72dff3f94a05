const WINDOW_MS = 10 * 60_000;
const MAX_ENDINGS = 5;

/** The endings that still count, with the new one. */
export function withEnding(endings: readonly Date[], at: Date): readonly Date[] {
  return [...endings, at].filter((ending) => at.getTime() - ending.getTime() < WINDOW_MS).slice(-MAX_ENDINGS);
}

/** Five endings within ten minutes: it is not worth starting again. */
export function endsTooOften(endings: readonly Date[], now: Date): boolean {
  const recent = endings.filter((ending) => now.getTime() - ending.getTime() < WINDOW_MS);
  return recent.length >= MAX_ENDINGS;
}
