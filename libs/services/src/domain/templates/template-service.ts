import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

/** The details of a service that was created from a template. */
export interface TemplateService {
  readonly serviceId: Uuid;
  /** The template's slug. */
  readonly template: string;
  /** The name under which clients on the same network reach it. */
  readonly serviceName: string;
  /** Empty if the template has no database. */
  readonly database: string;
  readonly user: string;
  /** Without the registry. It identifies the series of the server that wrote the data. */
  readonly image: string;
  /** Version of the server that last wrote the data. Null before the first success. */
  readonly serverVersion: string | null;
  /** For a service that a restore created, until its data are restored. Null afterwards and for all other services. */
  readonly awaitsDataSince: Date | null;
  readonly createdAt: Date;
}

/** The secrets of a service, by the names that its compose file uses. */
export type TemplateSecrets = ReadonlyMap<string, SecretText>;

/** A password rotation in progress. Until it ends, the database may accept either password. */
export interface Rotation {
  readonly next: SecretText;
  readonly beganAt: Date;
}
