import type { Numeric, OneOrMore, Pairs, Scalar, Truth } from './compose-file.js';
import type { Place } from './place.js';
import { isReservedLabel } from '../deploying/reserved-labels.js';
import { parseByteSize, parseDurationMs } from './values/units.js';

/** An empty string is the same as no value, as in Compose. */
export function textOf(value: Numeric | undefined): string | null {
  return value === undefined || value === '' ? null : String(value);
}

export function readTruth(value: Truth | undefined): boolean {
  return value === true || value === 'true';
}

export function readNumber(value: Numeric | undefined): number | null {
  return value === undefined ? null : Number(value);
}

export function readBytes(value: Numeric | undefined): number | null {
  return value === undefined ? null : parseByteSize(value);
}

export function readDuration(value: string | undefined): number | null {
  return value === undefined ? null : parseDurationMs(value);
}

/** The items with their places. Items that the schema refused are omitted. */
export function readList<T>(
  value: T | readonly (T | undefined)[] | undefined,
  place: Place,
): readonly { readonly item: T; readonly place: Place }[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ item: value as T, place }];
  return (value as readonly (T | undefined)[]).flatMap((item, index) =>
    item === undefined ? [] : [{ item, place: place.at(index) }],
  );
}

export function readTexts(value: OneOrMore | undefined, place: Place): readonly string[] {
  return readList<string>(value, place).map(({ item }) => item);
}

export interface Pair {
  readonly name: string;
  /** Null if there is only a name. */
  readonly value: string | null;
  readonly place: Place;
}

/** Reads `{NAME: value}` and `["NAME=value"]`. A duplicate name is refused. */
export function readPairs(value: Pairs | undefined, place: Place): readonly Pair[] {
  if (value === undefined) return [];
  const pairs = Array.isArray(value)
    ? readList<string>(value as readonly string[], place).map(({ item, place: at }) => {
        const equals = item.indexOf('=');
        return equals < 0
          ? { name: item, value: null, place: at }
          : { name: item.slice(0, equals), value: item.slice(equals + 1), place: at };
      })
    : Object.entries(value as Readonly<Record<string, Scalar>>).map(([name, scalar]) => ({
        name,
        value: scalar === null ? null : String(scalar),
        place: place.at(name),
      }));
  const seen = new Set<string>();
  for (const pair of pairs) {
    if (seen.has(pair.name)) pair.place.refuse('The name appears twice.');
    seen.add(pair.name);
  }
  return pairs;
}

export function readLabels(value: Pairs | undefined, place: Place): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const pair of readPairs(value, place)) {
    if (pair.name === '') pair.place.refuse('A label needs a name.');
    else if (isReservedLabel(pair.name)) pair.place.forbid('The namespace of this label is reserved.');
    else labels.set(pair.name, pair.value ?? '');
  }
  return labels;
}
