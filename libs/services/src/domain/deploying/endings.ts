const WINDOW_MS = 10 * 60_000;
const MAX_ENDINGS = 5;

/** The exits of the last ten minutes, including the new one. At most five are kept. */
export function withEnding(endings: readonly Date[], at: Date): readonly Date[] {
  return [...endings, at].filter((ending) => at.getTime() - ending.getTime() < WINDOW_MS).slice(-MAX_ENDINGS);
}

/** True after five exits within ten minutes. The service is not restarted again then. */
export function endsTooOften(endings: readonly Date[], now: Date): boolean {
  const recent = endings.filter((ending) => now.getTime() - ending.getTime() < WINDOW_MS);
  return recent.length >= MAX_ENDINGS;
}
