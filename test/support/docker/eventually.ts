import { PATIENCE } from '../../../tools/lib/tests/patience.mjs';
import { lookAgain } from '../look-again.js';

/** Polls until the answer is as wanted. @throws with the last answer after `limitMs`, or later in a whole run */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  limitMs = 25_000,
): Promise<T> {
  const longestMs = limitMs * PATIENCE;
  const since = Date.now();
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() - since > longestMs) {
      throw new Error(`not as wanted within ${longestMs} ms; at last: ${JSON.stringify(answer)}`);
    }
    await lookAgain(Date.now() - since);
  }
}
