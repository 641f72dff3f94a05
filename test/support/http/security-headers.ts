/** What the OWASP REST cheat sheet names for every answer of an API; a page of the panel may say more than that. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'strict-transport-security': /^max-age=31536000$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cache-control': /^no-(store|cache)$/,
};

/** The headers that an answer lacks or has with another value than OWASP wants. */
export function missingSecurityHeaders(valueOf: (name: string) => string | null | undefined): string[] {
  return Object.entries(EXPECTED)
    .filter(([name, expected]) => !expected.test(valueOf(name) ?? ''))
    .map(([name]) => `${name}: ${valueOf(name) ?? '(none)'}`);
}
