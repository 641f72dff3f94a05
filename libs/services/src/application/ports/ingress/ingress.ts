import type { Uuid } from '#kernel/crypto/uuid';
import { Unavailable } from '#kernel/errors';
import type { HostName } from '../../../domain/domains/host-name.js';
import type { TlsMode } from '../../../domain/domains/service-domain.js';

/** The route for one host name. */
export interface IngressRoute {
  /** Id of the domain. */
  readonly id: Uuid;
  readonly host: HostName;
  readonly tls: TlsMode;
  /** Null if no container is running. The ingress then answers with 503. */
  readonly upstream: Upstream | null;
}

export interface Upstream {
  /** An IP address, because the ingress does not resolve names. */
  readonly address: string;
  readonly port: number;
}

/** The ingress does not respond or refuses its configuration. The message is safe to show to users. */
export class IngressUnavailable extends Unavailable {
  constructor(message: string, options?: { cause?: unknown }) {
    super('ingress_unavailable', message, options);
  }
}

/** The reverse proxy that routes requests from the internet to containers. */
export abstract class Ingress {
  /** False if none is configured. Nothing is routed then. */
  abstract readonly isOn: boolean;

  /**
   * Replaces all routes with the result of `routes`. It calls `routes` after it has read the current configuration, and
   * again if another process has changed the configuration in the meantime. So the last writer has the newest state.
   * @throws IngressUnavailable; the errors of `routes`, with nothing changed
   */
  abstract apply(routes: () => Promise<readonly IngressRoute[]>): Promise<void>;

  /** Whether its configuration is unchanged since this process last read it. Cheap. @throws IngressUnavailable */
  abstract isUntouched(): Promise<boolean>;

  /** When the certificate for the host expires. Null if there is none yet. */
  abstract certificateExpiresAt(host: HostName): Promise<Date | null>;
}
