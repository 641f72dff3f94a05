/**
 * The Content-Security-Policy of the console: scripts, styles and connections from this server alone, nothing inline.
 * The nonce is for the style elements that libraries add at run time.
 */
export const consolePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
