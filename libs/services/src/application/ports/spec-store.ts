import type { GitSource } from '../../domain/git/git-source.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';
import type { Uuid } from '#kernel/crypto/uuid';

/** The decrypted specification of a service. It may contain passwords: never log it, show it or put it into a job. */
export interface ServiceSpec {
  readonly composeYaml: string;
  /** Values for `${NAME}` in the compose file. */
  readonly variables: ReadonlyMap<string, string>;
  /** Limits for all containers together. Stored unencrypted. */
  readonly resourceLimits: ResourceLimits;
  /** The repository that the image is built from. Null if the images are only pulled. */
  readonly git: GitSource | null;
  /** Key for the hashes in the labels of its containers, 32 bytes. */
  readonly hashKey: Buffer;
}

/** The result of a key rotation, as numbers of specifications. */
export interface ResealedSpecs {
  readonly resealed: number;
  readonly upToDate: number;
  /** None of the keys can decrypt them. */
  readonly unreadable: number;
}

/** Stores encrypted specifications. Each is bound to its service and version, so it cannot be swapped for another. */
export abstract class SpecStore {
  /** Encrypts a specification for storage. */
  abstract seal(serviceId: Uuid, version: number, spec: ServiceSpec): Buffer;
  /** Adds the next version, in the current transaction. @returns its number */
  abstract add(serviceId: Uuid, spec: ServiceSpec, at: Date): Promise<number>;
  /** @throws DeployFailure `secret_undecryptable` if it is missing or cannot be decrypted */
  abstract open(serviceId: Uuid, version: number): Promise<ServiceSpec>;
  /** Encrypts everything again that was encrypted with an older key. It can be interrupted and repeated. */
  abstract reseal(): Promise<ResealedSpecs>;
}
