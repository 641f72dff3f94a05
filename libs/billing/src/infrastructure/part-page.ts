import type { Uuid } from '#kernel/uuid';
import type { StoredPart } from '../application/ports/figures-store.js';

const UUID_LENGTH = 36;

/** Reads a page of parts: one a line; license, days, cents, events and the masked key parted by tabs. */
export function parsePage(text: string): StoredPart[] {
  const parts: StoredPart[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    parts.push(parsePart(text, start, next));
    start = next + 1;
  }
  return parts;
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
