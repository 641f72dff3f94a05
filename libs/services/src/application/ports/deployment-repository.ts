import type { Uuid } from '#kernel/crypto/uuid';
import type { DeploymentState } from '../../domain/deploying/deployment-state.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';

/** The unfinished operations of one service: at most one runs and at most one is queued. */
export interface OpenOperations {
  readonly running: Deployment | null;
  readonly queued: Deployment | null;
}

export abstract class DeploymentRepository {
  abstract insert(deployment: Deployment): Promise<void>;
  abstract update(deployment: Deployment): Promise<void>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<Deployment | null>;
  abstract open(serviceId: Uuid): Promise<OpenOperations>;
  /** Deployments that do not exist are omitted. */
  abstract find(ids: readonly Uuid[]): Promise<readonly Deployment[]>;
  /** Ids of the services with a queued or running operation. */
  abstract busyServices(): Promise<ReadonlySet<Uuid>>;
  /** The newest deployment that has ended, or null. */
  abstract lastFinished(serviceId: Uuid): Promise<DeploymentState | null>;
  /** Queued deployments and running ones without a live worker. Each of them needs a job. Oldest first. */
  abstract withoutWorker(limit: number): Promise<readonly Uuid[]>;
  /** Only the running deployments without a live worker. */
  abstract abandoned(limit: number): Promise<readonly Uuid[]>;
}
