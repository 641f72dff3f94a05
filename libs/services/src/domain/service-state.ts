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

/** What the owner wants, whatever the engine does at the moment. A suspension stands beside it and does not change it. */
export type DesiredState = 'running' | 'stopped';

/** Where a service rests when no operation is under way. */
export type RestingStatus = Extract<ServiceStatus, 'running' | 'stopped' | 'suspended' | 'error'>;

export type DeploymentType = 'compose' | 'git' | 'template';

/** What a service row shows of its containers. */
export interface ShownGroup {
  /** In start order. */
  readonly containerIds: readonly string[];
  readonly networkId: string | null;
  readonly portMappings: readonly PortMapping[];
}

/** Why a service failed, or was stopped by the panel itself. */
export interface StatusReason {
  /** Of a failed deployment its stable code, else one of the panel's own. */
  readonly code: string;
  readonly message: string;
  readonly deploymentId: Uuid | null;
  readonly at: Date;
}

export interface ServiceState extends ShownGroup {
  readonly id: Uuid;
  /** The organisation it belongs to; null for the panel's own. */
  readonly customerId: Uuid | null;
  readonly name: string;
  readonly description: string | null;
  readonly deploymentType: DeploymentType;
  readonly templateName: string | null;
  readonly status: ServiceStatus;
  /** Where it goes back to when an operation fails before it touched anything; null before the first success. */
  readonly settledStatus: RestingStatus | null;
  /** Null unless it is an error, or the panel itself stopped it. */
  readonly statusReason: StatusReason | null;
  readonly desiredState: DesiredState;
  readonly suspended: boolean;
  /** Its containers are in a state that nobody asked for: only reconciling, stopping and deleting are allowed. */
  readonly locked: boolean;
  readonly resourceLimits: ResourceLimits;
  readonly specVersion: number;
  /** The deployment whose containers have proven themselves; null before the first. */
  readonly currentDeploymentId: Uuid | null;
  /** When its containers ended by themselves, of the last ten minutes. */
  readonly endings: readonly Date[];
  /** Since when it runs; null while it does not, and after it has failed. */
  readonly startedAt: Date | null;
  readonly createdAt: Date;
}

/** What the containers are to do: a suspension wins over the desired state. */
export function wantedState({
  desiredState,
  suspended,
}: Pick<ServiceState, 'desiredState' | 'suspended'>): DesiredState {
  return suspended ? 'stopped' : desiredState;
}

/** What a failed deployment brings back: the containers of before, running or stopped as they were. */
export function stateBefore({ settledStatus }: Pick<ServiceState, 'settledStatus'>): DesiredState {
  return settledStatus === 'stopped' ? 'stopped' : 'running';
}

export function isResting(status: ServiceStatus): status is RestingStatus {
  return status === 'running' || status === 'stopped' || status === 'suspended' || status === 'error';
}
