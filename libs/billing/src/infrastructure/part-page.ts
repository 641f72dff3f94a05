import type { Uuid } from '#kernel/uuid';
import type { StoredPart } from '../application/ports/figures-store.js';

const UUID_LENGTH = 36;

/**
 * Reads a page of parts: one a line; license, days, cents, events and the masked key parted by tabs.
 * @param most in one piece
 */
export function* parsePage(text: string, most: number): Generator<StoredPart[]> {
  let parts: StoredPart[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    if (parts.push(parsePart(text, start, next)) === most) {
      yield parts;
      parts = [];
    }
    start = next + 1;
  }
  if (parts.length > 0) yield parts;
}

/** The license of the last part of a page that has one. */
export function lastLicense(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  return text.slice(start, start + UUID_LENGTH);
}

function parsePart(text: string, start: number, end: number): StoredPart {
  const days = start + UUID_LENGTH + 1;
  const cents = text.indexOf('\t', days) + 1;
  const events = text.indexOf('\t', cents) + 1;
  const key = text.indexOf('\t', events) + 1;
  return {
    licenseId: text.slice(start, start + UUID_LENGTH) as Uuid,
    days: Number(text.slice(days, cents - 1)),
    amountCents: Number(text.slice(cents, events - 1)),
    eventIds:
      events === key - 1
        ? []
        : text
            .slice(events, key - 1)
            .split(',')
            .map(Number),
    keyMasked: text.slice(key, end),
  };
}
