/** Processes all items with limited concurrency. @throws the first failure; no more items are started after it */
export async function atMost<T>(limit: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  let failed = false;
  const lane = async () => {
    for (const item of left) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, lane));
  for (const outcome of lanes) if (outcome.status === 'rejected') throw outcome.reason;
}
