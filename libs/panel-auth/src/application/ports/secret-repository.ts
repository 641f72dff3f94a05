import type { Uuid } from '#kernel/crypto/uuid';
import type { SecretRecord } from '../../domain/organisation-secret.js';

export interface SealedSecret {
  readonly id: Uuid;
  readonly organisationId: Uuid;
  readonly name: string;
  /** Opens only for this id. */
  readonly sealed: Buffer;
}

export interface WrittenSecret extends SecretRecord {
  readonly isNew: boolean;
}

export abstract class SecretRepository {
  /** Ordered by name. */
  abstract list(organisationId: Uuid): Promise<readonly SecretRecord[]>;
  /** The id under which the name is stored, locked until the transaction ends; null if there is none yet. */
  abstract lockId(organisationId: Uuid, name: string): Promise<Uuid | null>;
  /** Inserts or overwrites; null if somebody else has just stored the name under another id. */
  abstract write(secret: SealedSecret, now: Date): Promise<WrittenSecret | null>;
  /** False if there was none. */
  abstract delete(organisationId: Uuid, name: string): Promise<boolean>;
  /** The given names that exist. */
  abstract find(organisationId: Uuid, names: readonly string[]): Promise<readonly SealedSecret[]>;
}
