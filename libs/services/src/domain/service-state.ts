import type { Uuid } from '#kernel/crypto/uuid';
import type { ResourceLimits } from './resource-limits.js';
import type { PortMapping } from './service-plan.js';

export const SERVICE_STATUSES = [
  'pending',
  'deploying',
  'running',
  'starting',
  'stopping',
  'stopped',
  'restarting',
  'suspended',
  'removing',
  'error',
] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

/** The state that the owner wants. A suspension is stored separately and does not change it. */
export type DesiredState = 'running' | 'stopped';

/** The statuses of a service without an operation in progress. */
export type RestingStatus = Extract<ServiceStatus, 'running' | 'stopped' | 'suspended' | 'error'>;

export type DeploymentType = 'compose' | 'git' | 'template';

/** What the service shows about its containers. */
export interface ShownGroup {
  /** In start order. */
  readonly containerIds: readonly string[];
  readonly networkId: string | null;
  readonly portMappings: readonly PortMapping[];
}

/** Why a service failed, or why the panel itself stopped it. */
export interface StatusReason {
  /** The stable code of a failed deployment, or one of the panel's own codes. */
  readonly code: string;
  readonly message: string;
  readonly deploymentId: Uuid | null;
  readonly at: Date;
}

/** What is wrong with a service although it runs. */
export type ServiceAlarm = Omit<StatusReason, 'deploymentId'>;

export interface ServiceState extends ShownGroup {
  readonly id: Uuid;
  /** The organisation it belongs to. Null for services of the panel itself. */
  readonly customerId: Uuid | null;
  readonly name: string;
  readonly description: string | null;
  readonly deploymentType: DeploymentType;
  readonly templateName: string | null;
  readonly status: ServiceStatus;
  /**
   * The status to return to if an operation fails before it touches containers. Null until the first operation ends.
   */
  readonly settledStatus: RestingStatus | null;
  /** Null unless the status is `error` or the panel itself stopped the service. */
  readonly statusReason: StatusReason | null;
  readonly desiredState: DesiredState;
  readonly suspended: boolean;
  /** Its containers are in an undefined state, so only reconcile, stop, suspend and remove are allowed. */
  readonly locked: boolean;
  readonly resourceLimits: ResourceLimits;
  readonly specVersion: number;
  /** The last deployment whose containers passed the health gate. Null before the first. */
  readonly currentDeploymentId: Uuid | null;
  /** When its containers exited by themselves, within the last ten minutes. */
  readonly endings: readonly Date[];
  /** When it started to run. Null while it does not run and after it has failed. */
  readonly startedAt: Date | null;
  readonly createdAt: Date;
}

/** The state that the containers should be in. A suspension overrides the desired state. */
export function wantedState({
  desiredState,
  suspended,
}: Pick<ServiceState, 'desiredState' | 'suspended'>): DesiredState {
  return suspended ? 'stopped' : desiredState;
}

/** The state to restore the previous containers to when a deployment fails. */
export function stateBefore({ settledStatus }: Pick<ServiceState, 'settledStatus'>): DesiredState {
  return settledStatus === 'stopped' ? 'stopped' : 'running';
}

export function isResting(status: ServiceStatus): status is RestingStatus {
  return status === 'running' || status === 'stopped' || status === 'suspended' || status === 'error';
}
