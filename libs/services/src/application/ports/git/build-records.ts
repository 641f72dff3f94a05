import type { Uuid } from '#kernel/crypto/uuid';

/** An image that a deployment was built as. */
export interface BuiltImageRecord {
  readonly deploymentId: Uuid;
  /** Its name on the engine, with a tag. */
  readonly reference: string;
  readonly imageId: string;
  /** Of its manifest in the registry; null if it was not pushed. */
  readonly digest: string | null;
  /** What the steps of its build left besides it. */
  readonly layers: readonly string[];
}

/** What is known of deployments from repositories besides the deployment itself. */
export abstract class BuildRecords {
  /** In the current transaction: that deployment is to be of this ref, not of the branch of its service. */
  abstract request(deploymentId: Uuid, serviceId: Uuid, ref: string): Promise<void>;
  /** Null: nothing was asked for. */
  abstract requestedRef(deploymentId: Uuid): Promise<string | null>;
  abstract keep(serviceId: Uuid, image: BuiltImageRecord, at: Date): Promise<void>;
  /** Newest first. */
  abstract images(serviceId: Uuid): Promise<readonly BuiltImageRecord[]>;
  abstract forget(deploymentIds: readonly Uuid[]): Promise<void>;
}
