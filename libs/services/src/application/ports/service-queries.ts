import type { Uuid } from '#kernel/crypto/uuid';
import type { DeploymentActor, DeploymentState } from '../../domain/deploying/deployment-state.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { PortMapping } from '../../domain/service-plan.js';
import type { DeploymentType, ServiceStatus, StatusReason } from '../../domain/service-state.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';

/** A service as it is shown: without its compose source and without live figures. */
export interface ServiceView {
  readonly id: Uuid;
  readonly name: string;
  readonly description: string | null;
  /** `starting` also while the data of a restore are not there yet; `statusReason` says so. */
  readonly status: ServiceStatus;
  readonly statusReason: StatusReason | null;
  readonly deploymentType: DeploymentType;
  readonly containerIds: readonly string[];
  readonly networkId: string | null;
  readonly portMappings: readonly PortMapping[];
  readonly templateName: string | null;
  readonly customerId: Uuid | null;
  readonly resourceLimits: ResourceLimits;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly url: string | null;
  readonly startedAt: Date | null;
  readonly uptimeSeconds: number | null;
  /** Of which pull request of which service it is a preview; absent on every other service. */
  readonly preview?: ShownPreview;
}

export interface ShownPreview {
  readonly parentServiceId: Uuid;
  readonly pullRequest: number;
  readonly expiresAt: Date;
}

/** A deployment as it stands: its record shows most of it. */
export type DeploymentView = DeploymentState;

/** What a service was, is or is to be made from; never the source itself. */
export interface VersionView {
  readonly number: number;
  readonly createdAt: Date;
  readonly actor: DeploymentActor;
  /** The last one that served with it, else the one that was to; what a rollback names. */
  readonly deploymentId: Uuid | null;
  /** It is the one that serves. */
  readonly current: boolean;
}

export interface ServiceFilter {
  readonly status: ServiceStatus | null;
  /** Part of the name, in any case. */
  readonly search: string | null;
}

export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** Reads for screens and lists. The infrastructure of the panel itself is in none of them. */
export abstract class ServiceQueries {
  abstract get(scope: OrganisationScope, id: Uuid): Promise<ServiceView | null>;
  /** Newest first. */
  abstract list(
    scope: OrganisationScope,
    filter: ServiceFilter,
    slice: Slice,
  ): Promise<{ readonly services: readonly ServiceView[]; readonly total: number }>;
  /** Newest first; null for a service that does not exist. */
  abstract versions(scope: OrganisationScope, id: Uuid, slice: Slice): Promise<readonly VersionView[] | null>;
  /** Null for one that does not exist, or whose service does not. */
  abstract deployment(scope: OrganisationScope, id: Uuid): Promise<DeploymentView | null>;
  /** Newest first; null for a service that does not exist. */
  abstract deployments(scope: OrganisationScope, id: Uuid, slice: Slice): Promise<readonly DeploymentView[] | null>;
}
