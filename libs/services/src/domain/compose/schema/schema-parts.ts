/** A JSON schema. Its `description` completes the sentence "must be …" in error messages. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Marks extension keys that nobody reads. They are accepted with a warning. */
export const EXTENSION = 'x-extension';

const text = (description: string, pattern: string, maxLength = 4096): JsonSchema => ({
  type: 'string',
  description,
  pattern,
  maxLength,
});

/** A number, or its digits in a string. Interpolation makes strings, and `0080` is read as one. */
const numeric = (description: string, pattern: string): JsonSchema => ({
  type: ['number', 'string'],
  description,
  pattern,
});

export const anyText: JsonSchema = { type: 'string', description: 'a string' };
/** At most fifteen digits: within the engine's 64 bits, and too small for JSON to write it as `1e21`. */
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
/** Whole milliseconds. A finer value could be rounded to 0, which has a special meaning for the engine. */
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
/** Underscores are common in container names, and the engine and its resolver accept them. */
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

/** A list in which the Compose specification forbids duplicates. */
export const setOf = (items: JsonSchema, description?: string): JsonSchema => ({
  ...listOf(items, description),
  uniqueItems: true,
});

function extensionsBut(known: readonly string[]): string {
  const own = known.filter((name) => name.startsWith('x-')).map((name) => name.slice(2));
  return own.length === 0 ? '^x-' : `^x-(?!(?:${own.join('|')})$)`;
}

/** A mapping with only these keys and extension keys. */
export const mappingOf = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  description: 'a mapping',
  properties,
  // Our own extension keys are among the properties, so they are excluded here.
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

/** One of several types. This works without `anyOf`, because each keyword applies only to the type it is about. */
export function either(description: string, ...shapes: readonly JsonSchema[]): JsonSchema {
  const types = shapes.flatMap((shape) => shape.type as string | readonly string[]);
  return { ...Object.assign({}, ...shapes), type: [...new Set(types)], description } as JsonSchema;
}

/** Also allows the empty string, which `${NAME:-}` produces and which means the same as omitting the key. */
export const orEmpty = (shape: JsonSchema): JsonSchema => ({ ...shape, pattern: `^$|${String(shape.pattern)}` });

export const nothing: JsonSchema = { type: 'null' };
export const pairs = either(
  'a mapping or a list of NAME=value',
  { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'], description: 'a scalar' } },
  listOf({ ...anyText, description: 'a string NAME=value' }),
);
