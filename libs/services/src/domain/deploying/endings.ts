const WINDOW_MS = 10 * 60_000;
const MAX_ENDINGS = 5;

/** The recent exits, including the new one. */
export function withEnding(endings: readonly Date[], at: Date): readonly Date[] {
  return [...endings, at].filter((ending) => at.getTime() - ending.getTime() < WINDOW_MS).slice(-MAX_ENDINGS);
}

/** Five exits within ten minutes: the service is not restarted again. */
export function endsTooOften(endings: readonly Date[], now: Date): boolean {
  const recent = endings.filter((ending) => now.getTime() - ending.getTime() < WINDOW_MS);
  return recent.length >= MAX_ENDINGS;
}
