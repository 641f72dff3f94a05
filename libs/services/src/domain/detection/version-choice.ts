/**
 * Chooses a version for a requirement such as `>=18 <21`, `^20.1`, `3.12.*`, `~> 3.3`, `v22.1.0` or `20`.
 * @param known versions in the order of preference, all of the same precision (`22` or `3.12`)
 * @returns the first known version that fits, or else the version in the requirement; null if it contains none
 */
export function chooseVersion(asked: string, known: readonly string[]): string | null {
  const precision = known[0]!.split('.').length;
  const alternatives = asked.split('||').map((range) => comparators(range));
  const fits = (version: string) =>
    alternatives.some((range) => range.length > 0 && range.every((one) => satisfies(version, one)));
  const best = known.find(fits);
  if (best !== undefined) return best;
  // No known version fits, so the requested one is used as it is.
  const named = alternatives.flat()[0];
  return named ? named.parts.slice(0, precision).join('.') : null;
}

interface Comparator {
  readonly operator: string;
  readonly parts: readonly number[];
}

function comparators(range: string): readonly Comparator[] {
  const found = range.matchAll(/(\^|~>|~=|~|>=|<=|==|!=|>|<|=)?\s*v?(\d+(?:\.\d+)*)(?:\.[x*])*/gi);
  return [...found].map(([, operator = '=', version = '']) => ({ operator, parts: version.split('.').map(Number) }));
}

/** Compares at the precision of `version`. `20` fulfils `>=20.11.1`, since it means the newest 20. */
function satisfies(version: string, { operator, parts }: Comparator): boolean {
  const chosen = version.split('.').map(Number);
  const order = compare(chosen, parts.slice(0, chosen.length));
  const isExact = parts.length <= chosen.length;
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return isExact ? order > 0 : order >= 0;
    case '<=':
      return order <= 0;
    case '<':
      return isExact ? order < 0 : order <= 0;
    case '!=':
      return !isExact || order !== 0;
    case '^':
      return order >= 0 && chosen[0] === parts[0];
    case '~=':
    case '~>':
      return order >= 0 && compare(chosen, parts.slice(0, Math.max(parts.length - 1, 1))) === 0;
    default:
      return order === 0;
  }
}

/** Compares the parts that both versions have. */
function compare(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const difference = one[index]! - other[index]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
