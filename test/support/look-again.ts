const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [10, 100];

/**
 * Waits before the next poll. The pause grows with the time waited so far, because each poll takes CPU time from the
 * work that it waits for.
 */
export function lookAgain(waitedMs: number): Promise<void> {
  const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, waitedMs / 20));
  return new Promise((resolve) => setTimeout(resolve, pause));
}
