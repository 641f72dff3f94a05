import { toPointer } from './text/json-pointer.js';

/** What went wrong, in domain terms. `#platform/problem` maps each kind to its HTTP status. */
export type ErrorKind =
  'unauthenticated' | 'forbidden' | 'not-found' | 'conflict' | 'invalid' | 'rate-limited' | 'unavailable';

/**
 * An error that the caller may see. `slug` is stable (it is in logs and, on 409 and 422, in `X-Error-Reason`).
 * `message` is public and must not contain secrets. `cause` is only for the log.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;

  constructor(
    readonly slug: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

export class Unauthenticated extends DomainError {
  readonly kind = 'unauthenticated';
}

export class Forbidden extends DomainError {
  readonly kind = 'forbidden';
}

/** Missing and "not yours" are the same error with the same text: a caller cannot tell them apart. */
export class NotFound extends DomainError {
  readonly kind = 'not-found';

  constructor(options?: { cause?: unknown }) {
    super('not-found', 'The resource does not exist.', options);
  }
}

export class Conflict extends DomainError {
  readonly kind = 'conflict';
  /** The fields of the request that conflict with the state, if the error is about fields. */
  readonly violations: readonly Violation[] = [];
}

/** One invalid field: a JSON pointer (`/billingCountry`; empty for the whole document) and what is wrong with it. */
export interface Violation {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export class Invalid extends DomainError {
  readonly kind = 'invalid';

  constructor(
    slug: string,
    message: string,
    readonly violations: readonly Violation[] = [],
  ) {
    super(slug, message);
  }

  /** A single invalid field, such as `owner.email` for a nested one; the message begins with its name. */
  static field(name: string, problem: string, slug = 'validation'): Invalid {
    return Invalid.at(name.split('.'), `${name} ${problem}`, slug);
  }

  /**
   * @param keys the path to a single value whose names come from the caller, dots included; none for the whole document
   */
  static at(keys: readonly string[], message: string, slug = 'validation'): Invalid {
    return new Invalid(slug, message, [{ path: toPointer(keys), code: slug, message }]);
  }
}

export class RateLimited extends DomainError {
  readonly kind = 'rate-limited';

  /** @param retryAfterSeconds whole seconds, at least 1 */
  constructor(readonly retryAfterSeconds: number) {
    super('rate-limited', `Too many requests. Try again in ${retryAfterSeconds} s.`);
  }
}

/** A dependency (database, engine, provider) is not responding. The request may be repeated later. */
export class Unavailable extends DomainError {
  readonly kind = 'unavailable';
  /** Seconds after which a retry is useful. Null if staff must configure something first. */
  readonly retryAfterSeconds: number | null = 1;
}
