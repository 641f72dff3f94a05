import DataLoader from 'dataloader';
import { isDatabaseUnavailable } from '../database-errors.js';

let waiting: (() => void)[] = [];

/** Runs all batches together, so that their queries leave in one socket write. */
function atTheEndOfTheTurn(ask: () => void): void {
  if (waiting.push(ask) > 1) return;
  setImmediate(() => {
    const batches = waiting;
    waiting = [];
    for (const batch of batches) batch();
  });
}

/**
 * Answers all look-ups that wait in one turn of the event loop with one query. Nothing is cached: an answer is never
 * older than its question. `lookUp` gets 1 to 256 keys and returns answers in their order, null where there is none. If
 * the query for several keys fails, each key is queried alone, so that one bad key does not fail the others. If the
 * database is unavailable, all fail at once. See docs/licensing.md, "Batched reads".
 */
export function tickBatch<K, V>(
  lookUp: (keys: readonly K[]) => Promise<readonly (V | null)[]>,
): (key: K) => Promise<V | null> {
  const loader = new DataLoader<K, V | null>(
    async (keys) => {
      try {
        return await lookUp(keys);
      } catch (error) {
        if (keys.length === 1 || isDatabaseUnavailable(error)) throw error;
        return Promise.all(keys.map((key) => alone(key)));
      }
    },
    { cache: false, maxBatchSize: 256, batchScheduleFn: atTheEndOfTheTurn },
  );
  const alone = async (key: K): Promise<V | null | Error> => {
    try {
      return (await lookUp([key]))[0] ?? null;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  return (key) => loader.load(key);
}
