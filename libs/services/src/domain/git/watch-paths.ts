/**
 * Whether a push touches what a service is made of.
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

/** `*` within a part, `**` over parts, `?` one character; a folder stands for everything in it. */
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
