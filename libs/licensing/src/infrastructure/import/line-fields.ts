import { z } from 'zod';
import { BillingDate } from '#kernel/time/calendar-date';
import { parseMoment } from '#kernel/time/instant';
import { characterCount, textDefect } from '#kernel/text/plain-text';
import { parseUuid } from '#kernel/crypto/uuid';
import type { AddressRule } from '#platform/http/validation/address.decorator';

/** `is required` if it is missing, otherwise `problem`. */
export const orRequired = (problem: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is required' : problem),
});

/** A text that PostgreSQL stores as given, of `min` to `max` characters. */
export function text(max: number, min = 0) {
  const lengthDefect = (value: string) => {
    const length = characterCount(value);
    if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
    return length > max ? `must have at most ${max} characters` : null;
  };
  return z.string(orRequired('must be a string')).check(({ value, issues }) => {
    const defect = textDefect(value) ?? lengthDefect(value);
    if (defect) issues.push({ code: 'custom', input: value, message: defect });
  });
}

/** Defaults to empty. */
export const optionalText = (max: number) => text(max).default('');

export const addressText = (rule: AddressRule) =>
  text(500)
    .refine((value) => value === '' || rule.valid(value), rule.problem)
    .default('');

export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, orRequired(`must be one of ${words.join(', ')}`));

export const integer = z.number(orRequired('must be an integer')).refine(Number.isSafeInteger, 'must be an integer');

export const flag = z.boolean('must be true or false');

/** The name of a line, to which other lines refer. */
export const ref = text(200, 1);

export const uuid = z.string('must be a UUID').transform((value, context) => {
  const parsed = parseUuid(value);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'must be a UUID' });
  return z.NEVER;
});

export const day = z.string(orRequired('must be a date, YYYY-MM-DD')).transform((value, context) => {
  const parsed = BillingDate.parse(value);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'must be a date, YYYY-MM-DD' });
  return z.NEVER;
});

const NO_MOMENT = 'must be an RFC 3339 timestamp or a date, YYYY-MM-DD';

/** A timestamp, or a date, which means its first instant in UTC. Not after `now`. */
export function pastMoment(now: Date) {
  return z.string(orRequired(NO_MOMENT)).transform((value, context) => {
    const parsed = parseMoment(value);
    if (parsed && parsed <= now) return parsed;
    context.addIssue({ code: 'custom', message: parsed ? 'must not be in the future' : NO_MOMENT });
    return z.NEVER;
  });
}

/** The UTC day of a timestamp, or a date. Not after the day of `now`. */
export function pastDay(now: Date) {
  return z.string(orRequired(NO_MOMENT)).transform((value, context) => {
    const instant = parseMoment(value);
    const parsed = instant && BillingDate.of(instant);
    if (parsed && !BillingDate.of(now).isBefore(parsed)) return parsed;
    context.addIssue({ code: 'custom', message: parsed ? 'must not be in the future' : NO_MOMENT });
    return z.NEVER;
  });
}
