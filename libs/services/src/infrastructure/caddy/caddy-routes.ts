import type { IngressRoute, Upstream } from '../../application/ports/ingress/ingress.js';
import type { CaddySettings, OwnSite } from './caddy-settings.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The prefix of our ids. Everything else in a configuration is left unchanged. */
export const OWN_ID = 'tenantry-';

/**
 * Cookies of the panel, which browsers may send to subdomains too. They are removed before a request reaches a
 * container.
 */
const PANEL_COOKIES = [
  { search_regexp: '(^|;\\s*)(?:oidc_session|__Host-oidc_[^=;]*)=[^;]*', replace: '' },
  { search_regexp: '^;\\s*', replace: '' },
];
const RESTING_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Not available</title></head>
<body><h1>This site is not available</h1><p>It is stopped or starting. Please try again later.</p></body></html>
`;

export interface RouteOptions {
  /** Caddy 2.7 or later: it keeps certificates, and can keep WebSockets, over a change of its configuration. */
  readonly isRecent: boolean;
}

/** Routes of the HTTPS server: the panel's own hosts before those of services. */
export function secureRoutes(
  routes: readonly IngressRoute[],
  { ownSites }: CaddySettings,
  options: RouteOptions,
): readonly JsonObject[] {
  return [...ownSites.map((site) => siteRoute(site, options)), ...routes.filter(isSecure).map(routeTo(options))];
}

/** Routes of the HTTP server: names without TLS lead to their containers, all others to HTTPS. */
export function plainRoutes(
  routes: readonly IngressRoute[],
  { ownSites, httpsPort }: CaddySettings,
  options: RouteOptions,
): readonly JsonObject[] {
  const secure = [...ownSites, ...routes.filter(isSecure)].map(({ host }) => host);
  const redirect = {
    '@id': `${OWN_ID}to-https`,
    match: [{ host: secure }],
    handle: [{ handler: 'static_response', status_code: 308, headers: { Location: [secureUrl(httpsPort)] } }],
    terminal: true,
  };
  const plain = routes.filter((route) => !isSecure(route)).map(routeTo(options));
  return secure.length > 0 ? [...plain, redirect] : plain;
}

/** The answer for unknown names, on our own servers. */
export const UNKNOWN_HOST: JsonObject = {
  '@id': `${OWN_ID}unknown-host`,
  handle: [
    {
      handler: 'static_response',
      status_code: 404,
      headers: { 'Content-Type': ['text/plain; charset=utf-8'] },
      body: 'There is no site with this name.\n',
    },
  ],
  terminal: true,
};

/** Caddy's answer if a container does not respond. */
export const ERRORS: JsonObject = {
  routes: [
    {
      handle: [
        {
          handler: 'static_response',
          status_code: '{http.error.status_code}',
          headers: { 'Content-Type': ['text/plain; charset=utf-8'], 'Cache-Control': ['no-store'] },
          body: '{http.error.status_code} {http.error.status_text}\n',
        },
      ],
    },
  ],
};

export function isSecure({ tls }: Pick<IngressRoute, 'tls'>): boolean {
  return tls !== 'off';
}

const routeTo =
  (options: RouteOptions) =>
  ({ id, host, upstream }: IngressRoute): JsonObject => ({
    '@id': `${OWN_ID}${id}`,
    match: [{ host: [host] }],
    handle: [upstream === null ? RESTING : proxy(dialOf(upstream), options, withoutPanelCookies)],
    terminal: true,
  });

function siteRoute({ host, upstream }: OwnSite, options: RouteOptions): JsonObject {
  return {
    '@id': `${OWN_ID}site-${host}`,
    match: [{ host: [host] }],
    handle: [proxy(upstream, options, {})],
    terminal: true,
  };
}

const RESTING: JsonObject = {
  handler: 'static_response',
  status_code: 503,
  headers: {
    'Content-Type': ['text/html; charset=utf-8'],
    'Cache-Control': ['no-store'],
    'Retry-After': ['30'],
  },
  body: RESTING_PAGE,
};

const withoutPanelCookies: JsonObject = {
  headers: { request: { replace: { Cookie: PANEL_COOKIES } } },
};

function proxy(dial: string, { isRecent }: RouteOptions, more: JsonObject): JsonObject {
  return {
    handler: 'reverse_proxy',
    upstreams: [{ dial }],
    // Flushes streams and events quickly. Never -1 (at once): Caddy 2.6 then panics if its configuration changes while
    // a request of such a route waits for a container.
    flush_interval: '5ms',
    transport: { protocol: 'http', dial_timeout: '3s' },
    // Waits for a container that is being restarted.
    load_balancing: { try_duration: '3s', try_interval: '100ms' },
    ...(isRecent ? { stream_close_delay: '1h' } : {}),
    ...more,
  };
}

/** Caddy takes everything for an address; what would be no `ip:port` must not get that far. @throws RangeError */
function dialOf({ address, port }: Upstream): string {
  const isIpv4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(address);
  const isIpv6 = !isIpv4 && /^[0-9a-f:]+$/i.test(address) && address.includes(':');
  if ((!isIpv4 && !isIpv6) || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new RangeError(`no address of a container: ${address} ${port}`);
  return isIpv4 ? `${address}:${port}` : `[${address}]:${port}`;
}

function secureUrl(httpsPort: number): string {
  return `https://{http.request.host}${httpsPort === 443 ? '' : `:${httpsPort}`}{http.request.uri}`;
}
