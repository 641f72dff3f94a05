import { isIP } from 'node:net';
import { z } from 'zod';
import { providerSettings } from '#libs/panel-auth';
import { baseUrl, httpUrl, port } from '#platform/config/setting-types';
import type { IngressSettings } from '../../application/domains/ingress-settings.js';
import type { DnsResolver } from '../../application/ports/ingress/dns-resolver.js';
import type { Ingress } from '../../application/ports/ingress/ingress.js';
import { parseHostName, type HostName } from '../../domain/domains/host-name.js';
import { NodeDnsResolver } from '../domains/node-dns-resolver.js';
import { CaddyAdmin, type CaddyEndpoint } from './caddy-admin.js';
import { CaddyIngress } from './caddy-ingress.js';
import type { OwnSite } from './caddy-settings.js';
import { NoIngress } from './no-ingress.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** `127.0.0.1:3001`, `panel-api:3001`. */
const UPSTREAM = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\]):\d{1,5}$/;

/** The admin API controls all traffic, so only an address on this machine is accepted. */
const adminUrl = z.string().transform((text, context): CaddyEndpoint => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'unix:' && url.host === '' && url.pathname.length > 1) return { socketPath: url.pathname };
  const isBare = url !== null && url.pathname === '/' && url.search === '' && url.username === '';
  if (url?.protocol === 'http:' && LOOPBACK.test(url.hostname) && isBare) return { url };
  context.addIssue({ code: 'custom', message: 'must be http:// with a loopback address and a port, or unix:///path' });
  return z.NEVER;
});

const hostName = z.string().transform((text, context): HostName => {
  try {
    return parseHostName(text, 'value');
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message.replace(/^value /, '') });
    return z.NEVER;
  }
});

const dnsServers = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine(
    (servers) =>
      servers.every((server) => isIP(server) !== 0 || isIP(server.replace(/^\[?(.*?)\]?:\d{1,5}$/, '$1')) !== 0),
    'must be IP addresses, each with an optional port',
  )
  .default([]);

const upstream = z.string().regex(UPSTREAM, 'must be host:port');

/** Settings of every process that handles public names of services. */
export const ingressEnv = {
  CADDY_ADMIN_URL: adminUrl.optional(),
  BASE_DOMAIN: hostName.optional(),
  INGRESS_HTTP_PORT: port(80),
  INGRESS_HTTPS_PORT: port(443),
  INGRESS_TLS: z.enum(['automatic', 'internal'], 'must be automatic or internal').default('automatic'),
  INGRESS_ADDRESS: z
    .string()
    .regex(/^[A-Za-z0-9.:-]+$/, 'must be a host or an IP address')
    .default('127.0.0.1'),
  INGRESS_PANEL_UPSTREAM: upstream.optional(),
  INGRESS_PARTNER_UPSTREAM: upstream.optional(),
  ACME_EMAIL: z.email('must be an e-mail address').optional(),
  ACME_CA: httpUrl.optional(),
  DNS_SERVERS: dnsServers,
  // Their hosts are the panel's own.
  PANEL_URL: baseUrl('http://127.0.0.1:3001'),
  PARTNER_API_BASE_URL: baseUrl('http://127.0.0.1:3000'),
  ...providerSettings,
  FRONTEND_CALLBACK_URL: httpUrl.optional(),
};

export type IngressEnv = z.output<z.ZodObject<typeof ingressEnv>>;

export interface IngressOptions {
  readonly settings: IngressSettings;
  readonly ingress: Ingress;
  readonly resolver: DnsResolver;
}

export function ingressOptionsOf(env: IngressEnv): IngressOptions {
  const { BASE_DOMAIN: baseDomain = null, INGRESS_HTTP_PORT: httpPort, INGRESS_HTTPS_PORT: httpsPort } = env;
  const ingress = ingressOf(env);
  const ownUrls = [env.PANEL_URL, env.PARTNER_API_BASE_URL, env.OIDC_ISSUER, env.FRONTEND_CALLBACK_URL];
  const ownHosts = new Set([
    ...ownUrls.flatMap((url) => hostOf(url) ?? []),
    ...(baseDomain === null ? [] : [baseDomain]),
  ]);
  return {
    settings: { isOn: ingress.isOn, baseDomain, ownHosts, httpPort, httpsPort },
    ingress,
    resolver: new NodeDnsResolver(env.DNS_SERVERS),
  };
}

/** The doctor's finding about Caddy; null if none is used. */
export async function diagnoseIngress(
  env: Pick<IngressEnv, 'CADDY_ADMIN_URL'>,
): Promise<{ readonly problem: string | null } | null> {
  if (!env.CADDY_ADMIN_URL) return null;
  try {
    const { status } = await new CaddyAdmin(env.CADDY_ADMIN_URL).read();
    return { problem: status === 200 ? null : `Caddy answers ${status} at its admin API.` };
  } catch (error) {
    return { problem: `Caddy does not answer: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

function ingressOf(env: IngressEnv): Ingress {
  if (!env.CADDY_ADMIN_URL) return new NoIngress();
  const settings = {
    httpPort: env.INGRESS_HTTP_PORT,
    httpsPort: env.INGRESS_HTTPS_PORT,
    tls: env.INGRESS_TLS,
    acmeEmail: env.ACME_EMAIL ?? null,
    acmeDirectory: env.ACME_CA ?? null,
    ownSites: [
      ...siteOf(env.PANEL_URL, env.INGRESS_PANEL_UPSTREAM),
      ...siteOf(env.PARTNER_API_BASE_URL, env.INGRESS_PARTNER_UPSTREAM),
    ],
  };
  return new CaddyIngress(new CaddyAdmin(env.CADDY_ADMIN_URL), settings, env.INGRESS_ADDRESS);
}

function siteOf(url: string, to: string | undefined): readonly OwnSite[] {
  const host = hostOf(url);
  return to === undefined || host === null ? [] : [{ host, upstream: to }];
}

/** Null if there is no host name, as for an IP address. */
function hostOf(url: string | undefined): HostName | null {
  if (url === undefined) return null;
  try {
    return parseHostName(new URL(url).hostname);
  } catch {
    return null;
  }
}
