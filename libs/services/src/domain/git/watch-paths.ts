/**
 * Whether a push changes one of the watched paths.
 * @param patterns `api/**`, `*.md`, `!docs/**`; the last one that matches decides, and none at all means everything
 */
export function touches(patterns: readonly string[], paths: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  const rules = patterns.map((pattern) => ({
    isOut: pattern.startsWith('!'),
    test: matcher(pattern.replace(/^!/, '')),
  }));
  const startsIn = rules.every(({ isOut }) => isOut);
  return paths.some((path) => rules.reduce((isIn, { isOut, test }) => (test.test(path) ? !isOut : isIn), startsIn));
}

/** `*` matches within a path segment, `**` across segments, `?` one character. A folder matches everything in it. */
function matcher(pattern: string): RegExp {
  const plain = pattern.replace(/^\.?\/+/, '').replace(/\/+$/, '');
  const source = plain.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    return token === '?' ? '[^/]' : `\\${token}`;
  });
  return new RegExp(`^${source}(?:/.*)?$`);
}
