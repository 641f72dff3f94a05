/** The keywords of JSON schema that the subset uses. A `description` completes the sentence "must be …". */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Marks what Compose lets users add and nobody reads: accepted with a warning. */
export const EXTENSION = 'x-extension';

const text = (description: string, pattern: string, maxLength = 4096): JsonSchema => ({
  type: 'string',
  description,
  pattern,
  maxLength,
});

/** A number, or its digits in a string: interpolation gives strings, and so does `0080`. */
const numeric = (description: string, pattern: string): JsonSchema => ({
  type: ['number', 'string'],
  description,
  pattern,
});

export const anyText: JsonSchema = { type: 'string', description: 'a string' };
/** Fifteen digits, as a number too: the engine has 64 bits, and JSON does not write 1e21 as a whole number. */
export const wholeNumber: JsonSchema = {
  ...numeric('a whole number', '^[0-9]{1,15}$'),
  multipleOf: 1,
  minimum: 0,
  maximum: 999_999_999_999_999,
};
export const decimal: JsonSchema = {
  ...numeric('a number', '^(?:[0-9]{1,9}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,9})$'),
  minimum: 0,
};
export const truth: JsonSchema = {
  type: ['boolean', 'string'],
  description: 'true or false',
  pattern: '^(true|false)$',
};
/** Whole milliseconds: what is finer would be rounded, and 0 means something else to the engine than nearly 0. */
export const duration = text(
  'a duration such as 1m30s, not finer than a millisecond',
  '^(0|([0-9]+ms|[0-9]+(\\.[0-9]{1,3})?s|[0-9]+(\\.[0-9]{1,2})?[hm])+)$',
  40,
);
export const byteSize = {
  ...numeric('a size such as 512m or 1gb', '^[0-9]{1,15}(\\.[0-9]{1,9})? ?([kKmMgGtT]?)([iI]?[bB])?$'),
  minimum: 0,
};
export const identity = {
  type: ['string', 'integer'],
  description: 'a name or a number',
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$',
  minimum: 0,
};
export const fileMode = text('an octal mode such as 0444', '^0o?[0-7]{3,4}$', 8);
/** The engine and its resolver take underscores, and names with them are common. */
export const hostname = text('a host name', '^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9_])?$', 63);
export const absolutePath = text('an absolute path', '^/');
export const key = text(
  'a name of letters, digits, dot, dash and underscore that begins with a letter or digit',
  '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
  63,
);

export const listOf = (items: JsonSchema, description = 'a list'): JsonSchema => ({
  type: 'array',
  description,
  items,
});

/** A list that the Compose specification's own schema wants without repeats. */
export const setOf = (items: JsonSchema, description?: string): JsonSchema => ({
  ...listOf(items, description),
  uniqueItems: true,
});

function extensionsBut(known: readonly string[]): string {
  const own = known.filter((name) => name.startsWith('x-')).map((name) => name.slice(2));
  return own.length === 0 ? '^x-' : `^x-(?!(?:${own.join('|')})$)`;
}

/** No other keys than these, extension keys apart. */
export const mappingOf = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  description: 'a mapping',
  properties,
  // An extension key of ours is among the properties, and is read.
  patternProperties: { [extensionsBut(Object.keys(properties))]: { [EXTENSION]: true } },
  additionalProperties: false,
  required,
});

/** A mapping whose keys the user chooses. */
export const namedBy = (values: JsonSchema): JsonSchema => ({
  type: 'object',
  description: 'a mapping',
  propertyNames: key,
  additionalProperties: values,
});

/** One of several shapes; each keyword of JSON schema touches only the shape it is about. */
export function either(description: string, ...shapes: readonly JsonSchema[]): JsonSchema {
  const types = shapes.flatMap((shape) => shape.type as string | readonly string[]);
  return { ...Object.assign({}, ...shapes), type: [...new Set(types)], description } as JsonSchema;
}

/** An empty text is the same as the key left out: it is what `${NAME:-}` leaves. */
export const orEmpty = (shape: JsonSchema): JsonSchema => ({ ...shape, pattern: `^$|${String(shape.pattern)}` });

export const nothing: JsonSchema = { type: 'null' };
export const pairs = either(
  'a mapping or a list of NAME=value',
  { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'], description: 'a scalar' } },
  listOf({ ...anyText, description: 'a string NAME=value' }),
);
