import { pause } from '../processes.mjs';
import { Refusal } from '../refusal.mjs';

const MAX_WAIT_MS = 60_000;
const POLL_MS = 100;

/** Waits until the URL answers 200. @throws Refusal after a minute, @throws the reason when `signal` fires */
export async function untilReady(name, url, signal) {
  let last = 'no answer';
  for (const until = Date.now() + MAX_WAIT_MS; Date.now() < until; await pause(POLL_MS)) {
    signal.throwIfAborted();
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      await answer.arrayBuffer();
      if (answer.status === 200) return;
      last = `status ${answer.status}`;
    } catch {
      last = 'no answer';
    }
  }
  throw new Refusal(`${name} was not ready within ${MAX_WAIT_MS / 1000} s (${url}: ${last}): see its log`);
}
