import { randomUUID } from 'node:crypto';
import type { Uuid } from '#kernel/crypto/uuid';
import type { IngressRoute } from '../../../libs/services/src/application/ports/ingress/ingress.js';
import type { HostName } from '../../../libs/services/src/domain/domains/host-name.js';
import { CaddyAdmin } from '../../../libs/services/src/infrastructure/caddy/caddy-admin.js';
import { CaddyIngress } from '../../../libs/services/src/infrastructure/caddy/caddy-ingress.js';
import type { CaddySettings } from '../../../libs/services/src/infrastructure/caddy/caddy-settings.js';
import { eventually } from '../docker/eventually.js';
import type { CaddyServer } from './caddy.js';

export function ingressAt(caddy: CaddyServer, change: Partial<CaddySettings> = {}): CaddyIngress {
  const { httpPort, httpsPort } = caddy;
  const ports = { httpPort, httpsPort };
  const settings = {
    ...ports,
    tls: 'internal',
    acmeEmail: null,
    acmeDirectory: null,
    ownSites: [],
    ...change,
  } as const;
  return new CaddyIngress(new CaddyAdmin(caddy.endpoint), settings, '127.0.0.1');
}

export function aRoute(host: string, change: Partial<IngressRoute> & { port?: number } = {}): IngressRoute {
  const { port, ...rest } = change;
  const upstream = port === undefined ? null : { address: '127.0.0.1', port };
  return { id: randomUUID() as Uuid, host: host as HostName, tls: 'automatic', upstream, ...rest };
}

export async function configOf(caddy: CaddyServer): Promise<any> {
  return JSON.parse((await new CaddyAdmin(caddy.endpoint).read()).text);
}

/** Waits until the host has a certificate, which Caddy issues in the background. */
export async function untilCertified(ingress: CaddyIngress, host: string): Promise<void> {
  await eventually(
    () => ingress.certificateExpiresAt(host as HostName),
    (end) => end !== null,
  );
}
