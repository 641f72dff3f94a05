import { Unavailable } from '#kernel/errors';

/**
 * It is unknown whether the call took effect: no response within the deadline, a cut connection, a 5xx, or an
 * unreadable response. Never leaves the adapter in this form.
 */
export class OutcomeUnknown extends Error {
  constructor(what: string, options?: { cause?: unknown }) {
    super(what, options);
    this.name = 'OutcomeUnknown';
  }
}

/** @param what for the log: no key, no token, nothing from Keygen but its error codes */
export function keygenUnavailable(what: string, cause?: unknown): Unavailable {
  return new Unavailable('license-service-unavailable', 'The license service is not responding.', {
    cause: new Error(what, { cause }),
  });
}

/** Keygen refuses us or our data: staff must act, a retry does not help. */
export function keygenRefusal(what: string): Unavailable {
  return new Unavailable('license-service-refused', 'The license service refused the call.', {
    cause: new Error(what),
  });
}
