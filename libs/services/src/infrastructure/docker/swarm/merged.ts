/**
 * Merges several sources in the order of arrival. Ends with the last of them, and ends all of them when the reader
 * stops.
 */
export async function* merged<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const next = async (iterator: AsyncIterator<T>) => ({ iterator, result: await iterator.next() });
  const waiting = new Map(iterators.map((iterator) => [iterator, next(iterator)]));
  try {
    while (waiting.size > 0) {
      const { iterator, result } = await Promise.race(waiting.values());
      if (result.done) waiting.delete(iterator);
      else {
        waiting.set(iterator, next(iterator));
        yield result.value;
      }
    }
  } finally {
    for (const [iterator, pending] of waiting) {
      pending.catch(() => undefined);
      // A pending read ends when its source does.
      iterator.return?.().catch(() => undefined);
    }
  }
}
