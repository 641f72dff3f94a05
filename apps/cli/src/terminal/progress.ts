import { Presets, SingleBar } from 'cli-progress';

/** Fewer items are done before anybody could read a bar. */
const WORTH_SHOWING = 20;

/** Enough to keep database and process busy at the same time. More would only wait for a connection. */
const AT_ONCE = 3;

/**
 * Runs `work` for each item, a few at a time, with a progress bar on `err`. If one fails, the items in progress are
 * completed and no more are started.
 * @returns the results in the order of the items
 */
export async function forEach<T, R>(
  what: string,
  items: readonly T[],
  err: NodeJS.WriteStream,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const shown = err.isTTY && items.length >= WORTH_SHOWING;
  const format = `${what} {bar} {value}/{total} | {eta_formatted}`;
  const bar = new SingleBar({ stream: err, format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  if (shown) bar.start(items.length, 0);
  try {
    const results: R[] = [];
    const waiting = items.entries();
    let failed = false;
    const workOff = async () => {
      for (const [index, item] of waiting) {
        if (failed) return;
        try {
          results[index] = await work(item);
        } catch (error) {
          failed = true;
          throw error;
        }
        if (shown) bar.increment();
      }
    };
    const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, workOff));
    const failure = workers.find((worker) => worker.status === 'rejected');
    if (failure) throw failure.reason;
    return results;
  } finally {
    if (shown) bar.stop();
  }
}
