import type { Uuid } from '#kernel/crypto/uuid';
import type { SecretRecord } from '../../domain/organisation-secret.js';

export interface SealedSecret {
  readonly id: Uuid;
  readonly organisationId: Uuid;
  readonly name: string;
  /** Opens for this id alone. */
  readonly sealed: Buffer;
}

export interface WrittenSecret extends SecretRecord {
  readonly isNew: boolean;
}

export abstract class SecretRepository {
  /** Ordered by name. */
  abstract list(organisationId: Uuid): Promise<readonly SecretRecord[]>;
  /** The id under which the name is stored, locked until the transaction ends; null when there is none yet. */
  abstract lockId(organisationId: Uuid, name: string): Promise<Uuid | null>;
  /** Inserts or overwrites; null when somebody else has just stored the name under another id. */
  abstract write(secret: SealedSecret, now: Date): Promise<WrittenSecret | null>;
  /** False when there was none. */
  abstract delete(organisationId: Uuid, name: string): Promise<boolean>;
  /** Of the names, those that exist. */
  abstract find(organisationId: Uuid, names: readonly string[]): Promise<readonly SealedSecret[]>;
}
