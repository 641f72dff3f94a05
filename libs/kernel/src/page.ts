import type { Uuid } from './crypto/uuid.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
// Beyond this no table of ours reaches, and PostgreSQL's bigint is far away.
const MAX_OFFSET = Number.MAX_SAFE_INTEGER;

/** A slice of a list that is ordered newest first. `after` (exclusive) walks by key and then `offset` is not used. */
export class PageRequest {
  private constructor(
    readonly limit: number,
    readonly offset: number,
    readonly after: Uuid | null,
  ) {}

  /** A limit outside 1..200 or no integer falls back to 50, an offset that is negative or no integer to 0. */
  static lenient(limit: unknown, offset: unknown, after: Uuid | null = null): PageRequest {
    const limitAsked = wholeNumber(limit);
    const withinLimits = limitAsked !== null && limitAsked >= 1 && limitAsked <= MAX_LIMIT;
    return new PageRequest(
      withinLimits ? limitAsked : DEFAULT_LIMIT,
      Math.min(wholeNumber(offset) ?? 0, MAX_OFFSET),
      after,
    );
  }
}

/** Null for anything that is no integer of 0 or more; may be larger than a safe integer. */
function wholeNumber(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : null;
}
