import type { Uuid } from '#kernel/crypto/uuid';

/** The image that was built for a deployment. */
export interface BuiltImageRecord {
  readonly deploymentId: Uuid;
  /** Its name on the engine, with a tag. */
  readonly reference: string;
  readonly imageId: string;
  /** Digest of its manifest in the registry. Null if it was not pushed. */
  readonly digest: string | null;
  /** Ids of the intermediate images that its build left. */
  readonly layers: readonly string[];
}

/** Additional records about deployments from repositories: requested refs and built images. */
export abstract class BuildRecords {
  /** Makes a deployment use this ref instead of the branch of its service. Runs in the current transaction. */
  abstract request(deploymentId: Uuid, serviceId: Uuid, ref: string): Promise<void>;
  /** Null if no ref was requested. */
  abstract requestedRef(deploymentId: Uuid): Promise<string | null>;
  abstract keep(serviceId: Uuid, image: BuiltImageRecord, at: Date): Promise<void>;
  /** Newest first. */
  abstract images(serviceId: Uuid): Promise<readonly BuiltImageRecord[]>;
  abstract forget(deploymentIds: readonly Uuid[]): Promise<void>;
}
