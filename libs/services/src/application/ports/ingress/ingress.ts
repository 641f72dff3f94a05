import type { Uuid } from '#kernel/crypto/uuid';
import { Unavailable } from '#kernel/errors';
import type { HostName } from '../../../domain/domains/host-name.js';
import type { TlsMode } from '../../../domain/domains/service-domain.js';

/** Where requests for one host name go. */
export interface IngressRoute {
  /** Of the domain. */
  readonly id: Uuid;
  readonly host: HostName;
  readonly tls: TlsMode;
  /** Null: nothing runs behind it, and the ingress answers 503 itself. */
  readonly upstream: Upstream | null;
}

export interface Upstream {
  /** An IP address: the ingress resolves no names. */
  readonly address: string;
  readonly port: number;
}

/** It is away, or refuses what it is told. The message names the reason and may be shown. */
export class IngressUnavailable extends Unavailable {
  constructor(message: string, options?: { cause?: unknown }) {
    super('ingress_unavailable', message, options);
  }
}

/** What takes requests from the web and leads them to containers. */
export abstract class Ingress {
  /** False: none is configured, and nothing is routed. */
  abstract readonly isOn: boolean;

  /**
   * Makes its routes exactly those that `routes` tells. It asks only after it has looked at what is configured now, and
   * asks again when somebody else has changed that meanwhile: whoever writes last has seen the newest state.
   * @throws IngressUnavailable; what `routes` throws, with nothing changed
   */
  abstract apply(routes: () => Promise<readonly IngressRoute[]>): Promise<void>;

  /** Whether its configuration is still what this process saw last. Cheap. @throws IngressUnavailable */
  abstract isUntouched(): Promise<boolean>;

  /** When the certificate that it shows for the host ends; null while it has none. */
  abstract certificateExpiresAt(host: HostName): Promise<Date | null>;
}
