import { keygenUnavailable, OutcomeUnknown } from './keygen-errors.js';

/** A call whose outcome stays unknown is made so often, with a re-read after each. */
const TRIES = 2;

/**
 * Calls, and where the answer does not tell the outcome asks for it, before it calls once more.
 * @param call null when only the record tells
 * @param ask null when the record is not as it should be
 */
export async function settle<T>(what: string, call: () => Promise<T | null>, ask: () => Promise<T | null>): Promise<T> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      const done = await call();
      if (done !== null) return done;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error;
    }
    const found = await ask();
    if (found !== null) return found;
  }
  throw keygenUnavailable(`${what}: not done after ${TRIES} tries`);
}
