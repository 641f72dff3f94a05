/** Headers that the OWASP REST cheat sheet requires for every response. Pages of the panel may have longer values. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'strict-transport-security': /^max-age=31536000$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cache-control': /^no-(store|cache)$/,
};

/** The required headers that are missing or have another value. */
export function missingSecurityHeaders(valueOf: (name: string) => string | null | undefined): string[] {
  return Object.entries(EXPECTED)
    .filter(([name, expected]) => !expected.test(valueOf(name) ?? ''))
    .map(([name]) => `${name}: ${valueOf(name) ?? '(none)'}`);
}
