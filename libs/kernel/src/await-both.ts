/** Waits for both. When both fail, the first one's reason is the reason: the other may have failed because of it. */
export async function awaitBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  second.catch(() => undefined);
  return [await first, await second];
}
