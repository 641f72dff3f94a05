import { BillingDate } from './calendar-date.js';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt](?:[01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;
/** Matches fractions of a second with non-zero digits after the milliseconds. */
const FINER = /\.\d{3}0*[1-9]/;
const DAY_MS = 86_400_000;
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses an RFC 3339 timestamp (seconds are optional); null for anything else and for days that do not exist. */
export function parseInstant(text: string): Date | null {
  if (!RFC_3339.test(text) || !BillingDate.parse(text.slice(0, 10))) return null;
  const ms = Date.parse(text.toUpperCase());
  return ms >= EARLIEST && ms <= LATEST ? new Date(ms) : null;
}

/** Parses a date as its first instant in UTC, or a timestamp to the millisecond; null for anything else. */
export function parseMoment(text: string): Date | null {
  return BillingDate.parse(text)?.startsAt() ?? parseInstant(text);
}

/**
 * One inclusive end of a time range. A timestamp means itself; a date means its first instant in UTC (`from`) or its
 * last (`to`). Events have millisecond precision, so a finer `from` is rounded up to the next millisecond. Null for
 * anything else.
 */
export function instantBound(text: string, end: 'from' | 'to'): Date | null {
  const day = BillingDate.parse(text);
  if (day) return new Date(day.startsAt().getTime() + (end === 'from' ? 0 : DAY_MS - 1));
  const instant = parseInstant(text);
  if (!instant || end === 'to' || !FINER.test(text)) return instant;
  return new Date(Math.min(instant.getTime() + 1, LATEST));
}
