import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

/** What a service was made from when it was made from a template. */
export interface TemplateService {
  readonly serviceId: Uuid;
  /** The template's slug. */
  readonly template: string;
  /** The name under which clients on the same network reach it. */
  readonly serviceName: string;
  /** Empty where the template has none. */
  readonly database: string;
  readonly user: string;
  /** Without registry: the series that its data are written by. */
  readonly image: string;
  /** Of the server that wrote the data last; null before the first success. */
  readonly serverVersion: string | null;
  /** Of a service that a restore has made, until its data are there; null from then on, and for all others. */
  readonly awaitsDataSince: Date | null;
  readonly createdAt: Date;
}

/** The secrets of a service, by the names under which its compose file asks for them. */
export type TemplateSecrets = ReadonlyMap<string, SecretText>;

/** A rotation that has begun: until it ends, either password may be the one that the database takes. */
export interface Rotation {
  readonly next: SecretText;
  readonly beganAt: Date;
}
