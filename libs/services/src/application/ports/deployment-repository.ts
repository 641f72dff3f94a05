import type { Uuid } from '#kernel/crypto/uuid';
import type { DeploymentState } from '../../domain/deploying/deployment-state.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';

/** The operations of one service that are not over: at most one of each kind. */
export interface OpenOperations {
  readonly running: Deployment | null;
  readonly queued: Deployment | null;
}

export abstract class DeploymentRepository {
  abstract insert(deployment: Deployment): Promise<void>;
  abstract update(deployment: Deployment): Promise<void>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<Deployment | null>;
  abstract open(serviceId: Uuid): Promise<OpenOperations>;
  /** Those of the ids that exist. */
  abstract find(ids: readonly Uuid[]): Promise<readonly Deployment[]>;
  /** Ids of the services that have an operation waiting or running. */
  abstract busyServices(): Promise<ReadonlySet<Uuid>>;
  /** The newest one that is over; null when there is none. */
  abstract lastFinished(serviceId: Uuid): Promise<DeploymentState | null>;
  /** Those that wait, and those whose worker is gone: each must have a job. Oldest first. */
  abstract withoutWorker(limit: number): Promise<readonly Uuid[]>;
  /** Of these, those that a worker had begun. */
  abstract abandoned(limit: number): Promise<readonly Uuid[]>;
}
