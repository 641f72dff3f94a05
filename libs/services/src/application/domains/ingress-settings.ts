import type { HostName } from '../../domain/domains/host-name.js';

/** What an installation has chosen about names on the web, read once at start. */
export abstract class IngressSettings {
  /** False without an ingress: domains stay pending. */
  abstract readonly isOn: boolean;
  /** Names directly and further below it need no proof. */
  abstract readonly baseDomain: HostName | null;
  /** Names of the panel itself, which no service gets. */
  abstract readonly ownHosts: ReadonlySet<string>;
  abstract readonly httpPort: number;
  abstract readonly httpsPort: number;
}
