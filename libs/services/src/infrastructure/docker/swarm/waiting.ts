import { setTimeout as delay } from 'node:timers/promises';
import { EngineUnavailable } from '../../../application/ports/engine/container-runtime-errors.js';

const FIRST_POLL_MS = 25;
const SLOWEST_POLL_MS = 250;

export interface Wait {
  readonly limitMs: number;
  /** What did not happen when the limit has passed. */
  readonly text: string;
  /** The longest pause between two questions: 250 ms unless told. */
  readonly slowestMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * A swarm carries out what it accepted when it gets to it: asks until the answer is there.
 * @param ask answers null while it is not
 * @throws EngineUnavailable when the limit passes; the signal's reason
 */
export async function until<T>(
  ask: () => Promise<T | null>,
  { limitMs, text, slowestMs = SLOWEST_POLL_MS, signal }: Wait,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.3, slowestMs)) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new EngineUnavailable(`The swarm: ${text} within ${limitMs / 1000} s.`);
    // An abort rejects with an error of its own; what counts is why it was aborted.
    await delay(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}
