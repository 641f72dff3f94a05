import type { Inventory } from '../../../domain/inventory.js';

const STORED_FUNCTIONS = 'system.js';

/** The properties of a collection that are compared with those of its restored copy. */
export interface CollectionFacts {
  readonly name: string;
  readonly kind: 'collection' | 'view' | 'time series' | 'stored functions';
  readonly indexes: readonly { readonly isUnique: boolean; readonly expires: boolean }[];
  readonly hasValidator: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** @param definition as `mongodump` writes it: `{options, indexes}` */
export function factsOf(name: string, definition: unknown): CollectionFacts | null {
  const { options, indexes } = fields(definition);
  if (!Array.isArray(indexes)) return null;
  const given = fields(options);
  const kind = kindOf(name, given);
  return {
    name,
    kind,
    // The server adds its own indexes to time series, and the rules for that differ between versions.
    indexes: kind === 'time series' ? [] : indexes.map(indexOf),
    hasValidator: Object.keys(fields(given.validator)).length > 0,
  };
}

/** Whether all collections can be renamed: MongoDB can rename neither time series nor `system.js`. */
export function canMove({ objects }: Pick<Inventory, 'objects'>): boolean {
  return !objects['time series'] && !objects['stored functions'];
}

/** Name of the collection that contains the documents: for a time series, that of its buckets. */
export function dataOf({ name, kind }: Pick<CollectionFacts, 'name' | 'kind'>): string {
  return kind === 'time series' ? `system.buckets.${name}` : name;
}

const KINDS = ['collection', 'time series', 'stored functions', 'view'] as const;

export function objectsOf(collections: readonly CollectionFacts[]): Inventory['objects'] {
  const indexes = collections.flatMap((each) => each.indexes);
  const ofKind = (wanted: CollectionFacts['kind']) => collections.filter(({ kind }) => kind === wanted).length;
  const figures = {
    ...Object.fromEntries(KINDS.map((kind) => [kind, ofKind(kind)])),
    validator: collections.filter(({ hasValidator }) => hasValidator).length,
    index: indexes.length,
    'unique index': indexes.filter(({ isUnique }) => isUnique).length,
    'TTL index': indexes.filter(({ expires }) => expires).length,
  };
  return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure > 0));
}

function kindOf(name: string, options: Fields): CollectionFacts['kind'] {
  if ('viewOn' in options) return 'view';
  if ('timeseries' in options) return 'time series';
  return name === STORED_FUNCTIONS ? 'stored functions' : 'collection';
}

function indexOf(index: unknown): CollectionFacts['indexes'][number] {
  const { unique, expireAfterSeconds } = fields(index);
  return { isUnique: isOn(unique), expires: expireAfterSeconds !== undefined };
}

/** Whether an option is on. It may be a number in extended JSON, such as `{"$numberInt": "1"}`. */
function isOn(option: unknown): boolean {
  const number = Object.values(fields(option))[0];
  return typeof option === 'object' ? Number(number) > 0 : Boolean(option);
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
