import { Presets, SingleBar } from 'cli-progress';

/** Less than this is done before anybody could read a bar. */
const WORTH_SHOWING = 20;

/** Does `work` for each item in turn, with a bar on `err` for people who wait. */
export async function inTurn<T, R>(
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
    for (const item of items) {
      results.push(await work(item));
      if (shown) bar.increment();
    }
    return results;
  } finally {
    if (shown) bar.stop();
  }
}
