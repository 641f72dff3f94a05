import { Unavailable } from '#kernel/errors';

/**
 * It is unknown whether the call took effect: no response within the deadline, a cut connection, a 5xx, or an
 * unreadable response. The adapter converts it to `Unavailable` for its callers.
 */
export class OutcomeUnknown extends Error {
  constructor(what: string, options?: { cause?: unknown }) {
    super(what, options);
    this.name = 'OutcomeUnknown';
  }
}

/** @param what for the log; must not contain a key, a token, or text from Keygen other than its error codes */
export function keygenUnavailable(what: string, cause?: unknown): Unavailable {
  return new Unavailable('license-service-unavailable', 'The license service is not responding.', {
    cause: new Error(what, { cause }),
  });
}

/** Keygen refuses our credentials or our data. A retry does not help; staff must act. */
export function keygenRefusal(what: string): Unavailable {
  return new Unavailable('license-service-refused', 'The license service refused the call.', {
    cause: new Error(what),
  });
}
