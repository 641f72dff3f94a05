import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  nullable?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  [other: string]: unknown;
}

/** Maximum length of a string by format. */
const LENGTH_OF_FORMAT: Readonly<Record<string, number>> = { uuid: 36, 'date-time': 35, date: 10, email: 320 };

/** Every incoming string with a NUL is refused, and PostgreSQL stores none. */
const NO_NUL = '^[^\\u0000]*$';

const INT32 = 2 ** 31 - 1;

/** No list in a response is longer. */
const MAX_LIST_LENGTH = 1_000_000;

/**
 * Adds the limits that always apply, unless a decorator states stricter ones: no string is longer than a body may be or
 * contains NUL, a number is exact in JSON, a list has a maximum.
 */
export function describeLimits(document: OpenAPIObject, maxTextLength: number): void {
  const complete = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(complete);
    if (node === null || typeof node !== 'object') return;
    limit(node as Schema, maxTextLength);
    for (const [key, value] of Object.entries(node)) {
      // The names of properties are the API's own: one may be called `default`.
      if (key === 'properties') Object.values(value as object).forEach(complete);
      else if (!VALUES.has(key)) complete(value);
    }
  };
  complete(document.paths);
  complete(document.components?.schemas);
  complete(document.components?.headers);
}

/** These contain values of the API, not schemas. */
const VALUES = new Set(['example', 'examples', 'enum', 'default', 'required']);

function limit(schema: Schema, maxTextLength: number): void {
  if (schema.type === 'string' && !schema.enum) {
    schema.maxLength ??= LENGTH_OF_FORMAT[schema.format ?? ''] ?? maxTextLength;
    if (!schema.format) schema.pattern ??= NO_NUL;
  }
  if (schema.type === 'integer') {
    schema.minimum ??= 0;
    schema.maximum ??= Number.MAX_SAFE_INTEGER;
    schema.format ??= schema.maximum <= INT32 ? 'int32' : 'int64';
  }
  if (schema.type === 'array') schema.maxItems ??= MAX_LIST_LENGTH;
}
