import type { GitSource } from '../../domain/git/git-source.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';
import type { Uuid } from '#kernel/crypto/uuid';

/** What a service is made from, in clear: it may hold passwords, so it is never logged, shown or put into a job. */
export interface ServiceSpec {
  readonly composeYaml: string;
  /** Values for `${NAME}` in it. */
  readonly variables: ReadonlyMap<string, string>;
  /** What all containers together may use; not sealed. */
  readonly resourceLimits: ResourceLimits;
  /** Where its image is built from; null for images that are named. */
  readonly git: GitSource | null;
  /** Keys the hashes in its containers' labels; 32 bytes. */
  readonly hashKey: Buffer;
}

/** What a rotation of keys did. */
export interface ResealedSpecs {
  readonly resealed: number;
  readonly upToDate: number;
  /** No key of the ring opens them. */
  readonly unreadable: number;
}

/** Specifications at rest: sealed, and bound to the service and version they were written for. */
export abstract class SpecStore {
  /** What is stored of a specification. */
  abstract seal(serviceId: Uuid, version: number, spec: ServiceSpec): Buffer;
  /** Adds the next version, in the current transaction. @returns its number */
  abstract add(serviceId: Uuid, spec: ServiceSpec, at: Date): Promise<number>;
  /** @throws DeployFailure `secret_undecryptable` when it cannot be opened or is missing */
  abstract open(serviceId: Uuid, version: number): Promise<ServiceSpec>;
  /** Seals everything again that an older key sealed. It may be interrupted and repeated. */
  abstract reseal(): Promise<ResealedSpecs>;
}
