/**
 * Runs `work` for every name as soon as it is done for all names that this one waits for, side by side where nothing
 * waits. After a failure nothing more begins, and `givenUp` tells those that still wait for something outside.
 * @param waitsFor names that are not among `names` are not waited for; a circle would wait for ever
 * @throws the first failure, once everything that had begun is over
 */
export async function inOrder(
  names: readonly string[],
  waitsFor: (name: string) => readonly string[],
  work: (name: string, givenUp: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const done = new Map(names.map((name) => [name, gate()]));
  await Promise.all(
    names.map(async (name) => {
      await Promise.all(waitsFor(name).map((other) => done.get(other)?.passed ?? Promise.resolve()));
      try {
        if (!failure.signal.aborted) await work(name, failure.signal);
      } catch (error) {
        failure.abort(error);
      } finally {
        done.get(name)!.pass();
      }
    }),
  );
  failure.signal.throwIfAborted();
}

/** All at once. @throws the first failure, once all are over */
export function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  return inOrder(
    items.map((_, index) => String(index)),
    () => [],
    (index) => work(items[Number(index)]!),
  );
}

function gate(): { readonly passed: Promise<void>; readonly pass: () => void } {
  let pass: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  return { passed, pass };
}
