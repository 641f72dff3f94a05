/** Asks again and again until the answer is as wanted; fails with the last answer after `limitMs`. */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  limitMs = 25_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > deadline) {
      throw new Error(`not as wanted within ${limitMs} ms; at last: ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
