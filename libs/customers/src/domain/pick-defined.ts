/** The named properties of `source` that are not undefined, and no others. */
export function pickDefined<T extends object, K extends keyof T>(source: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const found: Partial<Pick<T, K>> = {};
  for (const key of keys) if (source[key] !== undefined) found[key] = source[key];
  return found;
}
