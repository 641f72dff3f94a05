import type { HostName } from '../../domain/domains/host-name.js';

/** A host name of the panel itself, and the address behind it. */
export interface OwnSite {
  readonly host: HostName;
  /** `host:port` as Caddy reaches it. */
  readonly upstream: string;
}

export interface CaddySettings {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Who signs certificates of domains with `tls: automatic`: a public authority (ACME), or Caddy itself. */
  readonly tls: 'automatic' | 'internal';
  readonly acmeEmail: string | null;
  /** The directory of another authority than Caddy's default. */
  readonly acmeDirectory: string | null;
  /** The panel's APIs, where they are to stand behind the same Caddy. */
  readonly ownSites: readonly OwnSite[];
}
