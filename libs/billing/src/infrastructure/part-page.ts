import type { Uuid } from '#kernel/crypto/uuid';
import type { PrintedPart, StoredPart } from '../application/ports/figures-store.js';

const UUID_LENGTH = 36;

/** Reads the text between two positions of a page. */
type Parse<P> = (text: string, start: number, end: number) => P;

/**
 * Reads a page of parts, one a line.
 * @param maxSize maximum number of parts in one piece
 */
export function* parsePage<P>(text: string, parse: Parse<P>, maxSize: number): Generator<P[]> {
  let parts: P[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    if (parts.push(parse(text, start, next)) === maxSize) {
      yield parts;
      parts = [];
    }
    start = next + 1;
  }
  if (parts.length > 0) yield parts;
}

/** The license of the last part of a non-empty page. */
export function lastLicense(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  return text.slice(start, start + UUID_LENGTH);
}

/** License, days, cents and the masked key, separated by tabs. */
export const parsePrinted: Parse<PrintedPart> = (text, start, end) => {
  const days = start + UUID_LENGTH + 1;
  const cents = text.indexOf('\t', days) + 1;
  const key = text.indexOf('\t', cents) + 1;
  return {
    licenseId: text.slice(start, start + UUID_LENGTH) as Uuid,
    days: Number(text.slice(days, cents - 1)),
    amountCents: Number(text.slice(cents, key - 1)),
    keyMasked: text.slice(key, end),
  };
};

/** Same as `parsePrinted`, with the events, separated by commas, before the key. */
export const parseStored: Parse<StoredPart> = (text, start, end) => {
  const { keyMasked: rest, ...part } = parsePrinted(text, start, end);
  const key = rest.indexOf('\t') + 1;
  const events = rest.slice(0, key - 1);
  return { ...part, eventIds: events === '' ? [] : events.split(',').map(Number), keyMasked: rest.slice(key) };
};
