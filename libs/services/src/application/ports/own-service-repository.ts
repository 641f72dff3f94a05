import type { Uuid } from '#kernel/crypto/uuid';

/** A service that the panel runs for itself. */
export interface OwnService {
  /** Unique: there is at most one service per purpose. */
  readonly purpose: string;
  readonly serviceId: Uuid;
  /** The container that clients connect to, and its port. */
  readonly role: string;
  readonly port: number;
  /** Data of the caller that installed it. */
  readonly details: Readonly<Record<string, string>>;
}

/** The services of the panel itself. A row is deleted with its service. */
export abstract class OwnServiceRepository {
  /** Runs in the current transaction. @returns false if there is already one for that purpose */
  abstract insert(own: OwnService): Promise<boolean>;
  abstract find(purpose: string): Promise<OwnService | null>;
}
