import type { Uuid } from '#kernel/crypto/uuid';

/** Something that the panel runs for itself. */
export interface OwnService {
  /** What for; there is one of each. */
  readonly purpose: string;
  readonly serviceId: Uuid;
  /** The container that answers, and the port it listens on. */
  readonly role: string;
  readonly port: number;
  /** What whoever asked for it wants to remember. */
  readonly details: Readonly<Record<string, string>>;
}

/** Which services are the panel's own. A row goes with its service. */
export abstract class OwnServiceRepository {
  /** In the current transaction. @returns false when there is one for that purpose */
  abstract insert(own: OwnService): Promise<boolean>;
  abstract find(purpose: string): Promise<OwnService | null>;
}
