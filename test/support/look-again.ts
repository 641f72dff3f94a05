const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [10, 100];

/**
 * Waits before something is looked at again: the longer it has taken already the longer, for each look keeps one of the
 * machine's few processors from what is waited for.
 */
export function lookAgain(waitedMs: number): Promise<void> {
  const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, waitedMs / 20));
  return new Promise((resolve) => setTimeout(resolve, pause));
}
