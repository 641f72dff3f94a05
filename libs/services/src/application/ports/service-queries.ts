import type { Uuid } from '#kernel/crypto/uuid';
import type { DeploymentActor, DeploymentState } from '../../domain/deploying/deployment-state.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { PortMapping } from '../../domain/service-plan.js';
import type { DeploymentType, ServiceStatus, StatusReason } from '../../domain/service-state.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';

/** A service as the API shows it, without its compose source and without live metrics. */
export interface ServiceView {
  readonly id: Uuid;
  readonly name: string;
  readonly description: string | null;
  /** Also `starting` while the data are being restored. `statusReason` says so. */
  readonly status: ServiceStatus;
  /** Why it is not running as wanted, else what is wrong with its backups. */
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
  /** Set if the service is the preview of a pull request. */
  readonly preview?: ShownPreview;
}

export interface ShownPreview {
  readonly parentServiceId: Uuid;
  readonly pullRequest: number;
  readonly expiresAt: Date;
}

/** A deployment as the API shows it. */
export type DeploymentView = DeploymentState;

/** A version of a service: an earlier one, the current one, or one that is being deployed. Without its source. */
export interface VersionView {
  readonly number: number;
  readonly createdAt: Date;
  readonly actor: DeploymentActor;
  /** The last deployment that served with this version, or else the one for which it was created. For rollbacks. */
  readonly deploymentId: Uuid | null;
  /** Whether this version serves now. */
  readonly current: boolean;
}

export interface ServiceFilter {
  readonly status: ServiceStatus | null;
  /** Part of the name. Case is ignored. */
  readonly search: string | null;
}

export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** Queries for the API. They never return the panel's own services. */
export abstract class ServiceQueries {
  abstract get(scope: OrganisationScope, id: Uuid): Promise<ServiceView | null>;
  /** Newest first. */
  abstract list(
    scope: OrganisationScope,
    filter: ServiceFilter,
    slice: Slice,
  ): Promise<{ readonly services: readonly ServiceView[]; readonly total: number }>;
  /** Newest first. Null for a service that does not exist. */
  abstract versions(scope: OrganisationScope, id: Uuid, slice: Slice): Promise<readonly VersionView[] | null>;
  /** Null if the deployment or its service does not exist. */
  abstract deployment(scope: OrganisationScope, id: Uuid): Promise<DeploymentView | null>;
  /** Newest first. Null for a service that does not exist. */
  abstract deployments(scope: OrganisationScope, id: Uuid, slice: Slice): Promise<readonly DeploymentView[] | null>;
}
