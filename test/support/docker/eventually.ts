import { lookAgain } from '../look-again.js';

/** Polls until the answer is as wanted. @throws with the last answer after `limitMs` */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  limitMs = 25_000,
): Promise<T> {
  const since = Date.now();
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() - since > limitMs) {
      throw new Error(`not as wanted within ${limitMs} ms; at last: ${JSON.stringify(answer)}`);
    }
    await lookAgain(Date.now() - since);
  }
}
