declare const uuidBrand: unique symbol;

/** A canonical lower-case UUID. Braces, upper case and missing dashes, which PostgreSQL accepts, are not canonical. */
export type Uuid = string & { readonly [uuidBrand]: true };

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Accepts upper case, as RFC 9562 requires of readers; returns null for anything that is not a UUID. */
export function parseUuid(text: unknown): Uuid | null {
  if (typeof text !== 'string') return null;
  const lower = text.toLowerCase();
  return CANONICAL.test(lower) ? (lower as Uuid) : null;
}
