import { setTimeout as delay } from 'node:timers/promises';
import { EngineUnavailable } from '../../../application/ports/engine/container-runtime-errors.js';

const FIRST_POLL_MS = 25;
const SLOWEST_POLL_MS = 250;

export interface Wait {
  readonly limitMs: number;
  /** What the error says did not happen. */
  readonly text: string;
  /** The maximum pause between two polls; 250 ms by default. */
  readonly slowestMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Polls until a swarm has carried out what it accepted.
 * @param ask returns null until then
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
    // An abort rejects with its own error, but the signal's reason is what matters.
    await delay(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}
