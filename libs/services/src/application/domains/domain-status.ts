import type { ServiceDomain } from '../../domain/domains/service-domain.js';
import type { IngressSettings } from './ingress-settings.js';

const OFF = 'The ingress is off: CADDY_ADMIN_URL is not set.';

/** A domain as it is shown: while no ingress is configured nothing is active, whatever has been proven. */
export function shownDomain(domain: ServiceDomain, { isOn }: IngressSettings): ServiceDomain {
  if (isOn || domain.status === 'failed') return domain;
  return { ...domain, status: 'pending', verification: { ...domain.verification, errorMessage: OFF } };
}

/** Where people find the service. */
export function urlOf(
  { host, tls }: Pick<ServiceDomain, 'host' | 'tls'>,
  { httpPort, httpsPort }: Pick<IngressSettings, 'httpPort' | 'httpsPort'>,
): string {
  if (tls === 'off') return `http://${host}${httpPort === 80 ? '' : `:${httpPort}`}`;
  return `https://${host}${httpsPort === 443 ? '' : `:${httpsPort}`}`;
}
