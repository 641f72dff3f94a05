import { keygenUnavailable, OutcomeUnknown } from './keygen-errors.js';

/** Maximum number of calls. After each call with an unknown outcome the record is read. */
const TRIES = 2;

/**
 * Makes the call. If the response does not show the outcome, reads the record before calling again.
 * @param call returns null if only the record shows the outcome
 * @param ask reads the record; returns null if the call has had no effect
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
