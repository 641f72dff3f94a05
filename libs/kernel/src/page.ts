import type { Uuid } from './crypto/uuid.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
// None of our tables is this large, and it is far below PostgreSQL's bigint.
const MAX_OFFSET = Number.MAX_SAFE_INTEGER;

/** A slice of a list ordered newest first. `after` (exclusive) pages by key; `offset` is then ignored. */
export class PageRequest {
  private constructor(
    readonly limit: number,
    readonly offset: number,
    readonly after: Uuid | null,
  ) {}

  /** A limit outside 1..200 or not an integer becomes 50; an offset that is negative or not an integer becomes 0. */
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

/** Null for anything that is not an integer of 0 or more; the result may exceed the safe integers. */
function wholeNumber(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : null;
}
