import { Presets, SingleBar } from 'cli-progress';

/** Less than this is done before anybody could read a bar. */
const WORTH_SHOWING = 20;

/** The database works for some while the process works for another; more would only wait for a connection. */
const AT_ONCE = 3;

/**
 * Does `work` for each item, some at a time, with a bar on `err` for people who wait. What is under way when one fails
 * is brought to its end, and nothing more is begun.
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
