import type { HostName } from '../../domain/domains/host-name.js';

/** Settings of the ingress, read once at start. */
export abstract class IngressSettings {
  /** False without an ingress: domains stay pending. */
  abstract readonly isOn: boolean;
  /** The base domain. Hosts below it need no verification. */
  abstract readonly baseDomain: HostName | null;
  /** Hosts of the panel itself, which no service may use. */
  abstract readonly ownHosts: ReadonlySet<string>;
  abstract readonly httpPort: number;
  abstract readonly httpsPort: number;
}
