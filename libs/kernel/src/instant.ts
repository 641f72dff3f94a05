import { BillingDate } from './calendar-date.js';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Reads an RFC 3339 timestamp (seconds may be left out); null for anything else and for days that do not exist. */
export function parseInstant(text: string): Date | null {
  if (!RFC_3339.test(text) || !BillingDate.parse(text.slice(0, 10))) return null;
  const ms = Date.parse(text.toUpperCase());
  return ms >= EARLIEST && ms <= LATEST ? new Date(ms) : null;
}

/**
 * One inclusive end of a span of time: a timestamp stands for itself, a date for its first instant in UTC (`from`) or
 * its last (`to`). Null when the text is neither.
 */
export function instantBound(text: string, end: 'from' | 'to'): Date | null {
  const day = BillingDate.parse(text);
  if (!day) return parseInstant(text);
  return end === 'from' ? day.startsAt() : new Date(day.startsAt().getTime() + 86_399_999);
}
