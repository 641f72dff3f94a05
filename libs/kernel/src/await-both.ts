/**
 * Waits for both promises. If both fail, the first one's error is thrown, because the second may only be its
 * consequence.
 */
export async function awaitBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  second.catch(() => undefined);
  return [await first, await second];
}
