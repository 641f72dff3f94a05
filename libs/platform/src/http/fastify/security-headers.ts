import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';

export type HeaderRecord = Readonly<Record<string, string>>;

/**
 * The headers that OWASP names for an API. No includeSubDomains: customers' services may run on subdomains of the
 * panel, some of them over plain HTTP.
 */
const FOR_API: HelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
};

/** For Swagger UI: its own scripts, the styles it writes into its page, and its icons as data URLs. */
const FOR_REFERENCE: HelmetOptions = {
  ...FOR_API,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
};

/** Sent with every response of both APIs; a route that may be cached overrides them. */
export const SECURITY_HEADERS: HeaderRecord = { ...headersOf(FOR_API), 'cache-control': 'no-store' };

/** The same for the pages of the API reference. */
export const REFERENCE_HEADERS: HeaderRecord = { ...headersOf(FOR_REFERENCE), 'cache-control': 'no-cache' };

/**
 * Helmet's headers as constants. They do not depend on the request, and helmet's Fastify plugin rebuilds them for each
 * one, which takes 12 µs of about 160 (docs/decisions/0012-security-headers.md). Responses that never reach Fastify
 * need them too.
 */
function headersOf(options: HelmetOptions): HeaderRecord {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(response.req, response, () => undefined);
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
