import { isJsonObject } from '#kernel/text/json-object';
import type { IngressRoute } from '../../application/ports/ingress/ingress.js';
import {
  ERRORS,
  isSecure,
  OWN_ID,
  plainRoutes,
  secureRoutes,
  UNKNOWN_HOST,
  type JsonObject,
  type RouteOptions,
} from './caddy-routes.js';
import type { CaddySettings } from './caddy-settings.js';

interface ServerWanted {
  readonly name: string;
  readonly port: number;
  readonly routes: readonly JsonObject[];
  /** Settings that only our own servers have. */
  readonly own: JsonObject;
}

/**
 * The configuration that Caddy should have: the current one, with our servers, routes and certificate policies. A
 * server that somebody else has configured for our ports is used as it is and keeps its own routes.
 * @param standing the current configuration; null if there is none
 */
export function wantedConfig(
  standing: JsonObject | null,
  routes: readonly IngressRoute[],
  settings: CaddySettings,
  options: RouteOptions,
): JsonObject {
  const apps = objectAt(standing ?? {}, 'apps');
  const http = objectAt(apps, 'http');
  const secure: ServerWanted = {
    name: `${OWN_ID}https`,
    port: settings.httpsPort,
    routes: secureRoutes(routes, settings, options),
    own: { automatic_https: { disable_redirects: true }, strict_sni_host: true },
  };
  const plain: ServerWanted = {
    name: `${OWN_ID}http`,
    port: settings.httpPort,
    routes: plainRoutes(routes, settings, options),
    own: { automatic_https: { disable: true } },
  };
  const servers = withServer(withServer(objectAt(http, 'servers'), secure), plain);
  return {
    ...standing,
    apps: {
      ...apps,
      http: { ...http, http_port: settings.httpPort, https_port: settings.httpsPort, servers },
      tls: withPolicies(objectAt(apps, 'tls'), routes, settings, options),
      pki: withQuietAuthority(objectAt(apps, 'pki')),
    },
  };
}

function withServer(servers: JsonObject, { name, port, routes, own }: ServerWanted): JsonObject {
  const standing = Object.keys(servers).find((key) => listensOn(objectAt(servers, key), port));
  if (standing !== undefined && standing !== name) {
    const server = objectAt(servers, standing);
    return { ...servers, [standing]: { ...server, routes: [...routes, ...foreignItems(server, 'routes')] } };
  }
  const server: JsonObject = {
    listen: [`:${port}`],
    read_header_timeout: '10s',
    idle_timeout: '2m',
    max_header_bytes: 65_536,
    ...own,
    routes: [...routes, ...foreignItems(objectAt(servers, name), 'routes'), UNKNOWN_HOST],
    errors: ERRORS,
  };
  return { ...servers, [name]: server };
}

/** Policies for certain names come before one for all others. */
function withPolicies(
  tls: JsonObject,
  routes: readonly IngressRoute[],
  settings: CaddySettings,
  options: RouteOptions,
): JsonObject {
  const isInternal = ({ tls: mode }: IngressRoute) => mode === 'internal' || settings.tls === 'internal';
  const secure = routes.filter(isSecure);
  const own = [
    policy('internal', hostsOf(secure.filter(isInternal)), [{ module: 'internal' }], options),
    policy('automatic', hostsOf(secure.filter((route) => !isInternal(route))), [acme(settings)], options),
    policy(
      'sites',
      hostsOf(settings.ownSites),
      [settings.tls === 'internal' ? { module: 'internal' } : acme(settings)],
      options,
    ),
  ];
  const automation = objectAt(tls, 'automation');
  const policies = [...own.flat(), ...foreignItems(automation, 'policies')];
  return { ...tls, automation: { ...automation, policies } };
}

/**
 * Before 2.7, Caddy has no certificate loaded for some milliseconds after every change. With `on_demand` it looks in
 * its storage when a name is requested. It obtains certificates only for these names.
 */
function policy(
  name: string,
  subjects: readonly string[],
  issuers: readonly JsonObject[],
  { isRecent }: RouteOptions,
): readonly JsonObject[] {
  if (subjects.length === 0) return [];
  const onDemand = isRecent ? {} : { on_demand: true };
  return [{ '@id': `${OWN_ID}tls-${name}`, subjects, issuers, ...onDemand }];
}

function acme({ acmeEmail, acmeDirectory }: CaddySettings): JsonObject {
  return {
    module: 'acme',
    ...(acmeEmail === null ? {} : { email: acmeEmail }),
    ...(acmeDirectory === null ? {} : { ca: acmeDirectory }),
  };
}

/**
 * Prevents Caddy from adding its own authority to those trusted by this machine, unless somebody has configured that.
 */
function withQuietAuthority(pki: JsonObject): JsonObject {
  const authorities = objectAt(pki, 'certificate_authorities');
  const local = { install_trust: false, ...objectAt(authorities, 'local') };
  return { ...pki, certificate_authorities: { ...authorities, local } };
}

function foreignItems(parent: JsonObject, key: string): readonly unknown[] {
  const items = parent[key];
  return Array.isArray(items) ? items.filter((item) => !isOurs(item)) : [];
}

function isOurs(item: unknown): boolean {
  const id = isJsonObject(item) ? item['@id'] : null;
  return typeof id === 'string' && id.startsWith(OWN_ID);
}

function listensOn({ listen }: JsonObject, port: number): boolean {
  return Array.isArray(listen) && listen.some((address) => String(address).endsWith(`:${port}`));
}

function hostsOf(named: readonly { readonly host: string }[]): readonly string[] {
  return named.map(({ host }) => host);
}

function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isJsonObject(value) ? value : {};
}
