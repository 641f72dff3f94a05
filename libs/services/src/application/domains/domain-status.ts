import type { ServiceDomain } from '../../domain/domains/service-domain.js';
import type { IngressSettings } from './ingress-settings.js';

const OFF = 'The ingress is off: CADDY_ADMIN_URL is not set.';

/** A domain as shown by the API. Without a configured ingress no domain is active, even if it is verified. */
export function shownDomain(domain: ServiceDomain, { isOn }: IngressSettings): ServiceDomain {
  if (isOn || domain.status === 'failed') return domain;
  return { ...domain, status: 'pending', verification: { ...domain.verification, errorMessage: OFF } };
}

/** The public URL of the service. */
export function urlOf(
  { host, tls }: Pick<ServiceDomain, 'host' | 'tls'>,
  { httpPort, httpsPort }: Pick<IngressSettings, 'httpPort' | 'httpsPort'>,
): string {
  if (tls === 'off') return `http://${host}${httpPort === 80 ? '' : `:${httpPort}`}`;
  return `https://${host}${httpsPort === 443 ? '' : `:${httpsPort}`}`;
}
