/**
 * What a database holds, in figures. The dump's is counted in the very state that was dumped, where the engine can do
 * that, and compared with that of a restored copy.
 */
export interface Inventory {
  /** By kind, `table: 12`; every name is one of the method's own. */
  readonly objects: Readonly<Record<string, number>>;
  /** By table, or whatever holds rows; null where they cannot be counted in the dumped state. */
  readonly rows: Readonly<Record<string, number>> | null;
  /** A digest of what the rows hold, by the same names; left out or null where only their number was taken. */
  readonly contents?: Readonly<Record<string, string>> | null;
  /** Where each sequence stands. Of a dump: only those that stood still while it was made. */
  readonly sequences?: Readonly<Record<string, string>>;
}

/** What a restored copy was compared by. */
export const COMPARISONS = ['contents', 'counts'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export function comparisonOf({ contents }: Inventory): Comparison {
  return contents ? 'contents' : 'counts';
}

export function totalObjects({ objects }: Inventory): number {
  return sum(objects);
}

export function totalRows({ rows }: Inventory): number | null {
  return rows && sum(rows);
}

/** What the copy lacks or has too much of, as a sentence; null when both hold the same. */
export function inventoryDefect(expected: Inventory, found: Inventory): string | null {
  return (
    difference(expected.objects, found.objects, (name) => `objects of the kind ${name}`) ??
    (expected.rows && difference(expected.rows, found.rows ?? {}, (name) => `rows in ${name}`)) ??
    (expected.contents ? otherContents(expected.contents, found.contents ?? {}) : null) ??
    otherSequence(expected.sequences ?? {}, found.sequences ?? {})
  );
}

type Figures = Readonly<Record<string, number>>;

function difference(expected: Figures, found: Figures, what: (name: string) => string): string | null {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [wanted = 0, there = 0] = [expected[name], found[name]];
    if (wanted !== there) return `The restored copy has ${there} ${what(name)}, the dump ${wanted}.`;
  }
  return null;
}

type Texts = Readonly<Record<string, string>>;

function otherContents(expected: Texts, found: Texts): string | null {
  const name = differing(expected, found);
  return name === undefined ? null : `The restored copy has other contents in ${name} than the dump.`;
}

function otherSequence(expected: Texts, found: Texts): string | null {
  const name = differing(expected, found);
  const [wanted, there] = name === undefined ? [] : [expected[name], found[name] ?? 'nothing'];
  return name === undefined
    ? null
    : `The sequence ${name} of the restored copy stands at ${there}, the dump’s at ${wanted}.`;
}

function differing(expected: Texts, found: Texts): string | undefined {
  return Object.keys(expected).find((each) => expected[each] !== found[each]);
}

function sum(figures: Figures): number {
  return Object.values(figures).reduce((total, figure) => total + figure, 0);
}
