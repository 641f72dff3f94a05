/**
 * What a database contains, as counts and digests. If the engine can do it, the inventory of a dump is taken in exactly
 * the state that was dumped. It is compared with the inventory of a restored copy.
 */
export interface Inventory {
  /** Number of objects by kind, such as `table: 12`. Each backup method chooses its own names of kinds. */
  readonly objects: Readonly<Record<string, number>>;
  /** Number of rows by table or collection; null when they cannot be counted in the dumped state. */
  readonly rows: Readonly<Record<string, number>> | null;
  /** Digest of the contents of the rows, by the same names as `rows`; missing or null when they were only counted. */
  readonly contents?: Readonly<Record<string, string>> | null;
  /** The value of each sequence. For a dump, only the sequences that did not change while it was made. */
  readonly sequences?: Readonly<Record<string, string>>;
  /** Of a dump: all sequences, also those that were in use. */
  readonly sequenceNames?: readonly string[];
  /** Of a dump. */
  readonly database?: DatabaseTraits;
}

/** What a database is, besides what it holds. */
export interface DatabaseTraits {
  readonly encoding: string;
  readonly locale: {
    readonly provider: string;
    readonly collate: string;
    readonly ctype: string;
    readonly icuLocale: string | null;
    readonly icuRules: string | null;
  };
  /** Those that own something in it, or may do something with it. */
  readonly roles: readonly { readonly name: string; readonly isSuperuser: boolean }[];
  /** As `name=value`, for all roles or for one. Never those that an application has invented: they may be secrets. */
  readonly settings: readonly { readonly role: string | null; readonly setting: string }[];
}

/** Those that were the same before a dump and after it are the same in it. */
export function sequencesAtRest(before: Texts, after: Texts): Texts {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] === value));
}

/** How closely a restored copy was compared with the dump. */
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

/** Adds up the inventories of several databases. @param parts the names of their rows must differ */
export function joined(parts: readonly Inventory[]): Inventory {
  const objects: Record<string, number> = {};
  for (const part of parts)
    for (const [name, count] of Object.entries(part.objects)) objects[name] = (objects[name] ?? 0) + count;
  return { objects, rows: Object.assign({}, ...parts.map(({ rows }) => rows ?? {})) as Record<string, number> };
}

/** The first difference between a restored copy and the dump, as a sentence; null when there is none. */
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
