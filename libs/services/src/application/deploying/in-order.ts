/**
 * Runs `work` for every name once it is done for all names that this one depends on; independent names run in parallel.
 * After a failure no more work starts, and `givenUp` signals work that is still waiting for something else.
 * @param waitsFor the dependencies; those not among `names` are ignored, and a cycle would never finish
 * @throws the first failure, once all work that had started has ended
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

/** Runs all in parallel. @throws the first failure, once all have ended */
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
