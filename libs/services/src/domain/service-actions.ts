import type { DeploymentTrigger } from './deploying/deployment-state.js';
import type { DesiredState, ServiceState, ServiceStatus } from './service-state.js';

export const SERVICE_ACTIONS = [
  'start',
  'stop',
  'restart',
  'update',
  'redeploy',
  'rollback',
  'suspend',
  'unsuspend',
  'reconcile',
  'remove',
] as const;
export type ServiceAction = (typeof SERVICE_ACTIONS)[number];

export type ActionRefusal = 'invalid_state' | 'service_suspended' | 'service_locked' | 'deployment_in_progress';

/**
 * - `accept`: an operation is scheduled, unless the service is locked;
 * - `join`: the identical operation that is already queued or running is returned, and nothing new is scheduled;
 * - `nothing`: the service is already in that state;
 * - `busy`, `invalid`, `suspended`: refused.
 */
type Rule = 'accept' | 'join' | 'nothing' | 'busy' | 'invalid' | 'suspended';

/** Which action is allowed in which status: the complete table of section 5 of the contract. */
export const ACTION_RULES: Readonly<Record<ServiceAction, Readonly<Record<ServiceStatus, Rule>>>> = {
  start: {
    pending: 'busy',
    deploying: 'busy',
    starting: 'join',
    stopping: 'busy',
    restarting: 'busy',
    running: 'nothing',
    stopped: 'accept',
    suspended: 'suspended',
    removing: 'invalid',
    error: 'accept',
  },
  stop: {
    pending: 'busy',
    deploying: 'busy',
    starting: 'accept',
    stopping: 'join',
    restarting: 'accept',
    running: 'accept',
    stopped: 'invalid',
    suspended: 'suspended',
    removing: 'invalid',
    error: 'accept',
  },
  restart: {
    pending: 'busy',
    deploying: 'busy',
    starting: 'busy',
    stopping: 'busy',
    restarting: 'join',
    running: 'accept',
    stopped: 'accept',
    suspended: 'suspended',
    removing: 'invalid',
    error: 'accept',
  },
  redeploy: {
    pending: 'busy',
    deploying: 'accept',
    starting: 'accept',
    stopping: 'busy',
    restarting: 'accept',
    running: 'accept',
    stopped: 'accept',
    suspended: 'suspended',
    removing: 'invalid',
    error: 'accept',
  },
  update: {
    pending: 'busy',
    deploying: 'accept',
    starting: 'accept',
    stopping: 'busy',
    restarting: 'accept',
    running: 'accept',
    stopped: 'accept',
    suspended: 'suspended',
    removing: 'invalid',
    error: 'accept',
  },
  rollback: {
    pending: 'busy',
    deploying: 'busy',
    starting: 'busy',
    stopping: 'busy',
    restarting: 'busy',
    running: 'accept',
    stopped: 'accept',
    suspended: 'suspended',
    removing: 'invalid',
    error: 'accept',
  },
  suspend: {
    pending: 'accept',
    deploying: 'accept',
    starting: 'accept',
    stopping: 'accept',
    restarting: 'accept',
    running: 'accept',
    stopped: 'accept',
    suspended: 'nothing',
    removing: 'invalid',
    error: 'accept',
  },
  unsuspend: {
    pending: 'nothing',
    deploying: 'nothing',
    starting: 'nothing',
    stopping: 'nothing',
    restarting: 'nothing',
    running: 'nothing',
    stopped: 'nothing',
    suspended: 'accept',
    removing: 'nothing',
    error: 'nothing',
  },
  reconcile: {
    pending: 'busy',
    deploying: 'busy',
    starting: 'busy',
    stopping: 'busy',
    restarting: 'busy',
    running: 'accept',
    stopped: 'accept',
    suspended: 'accept',
    removing: 'invalid',
    error: 'accept',
  },
  remove: {
    pending: 'accept',
    deploying: 'accept',
    starting: 'accept',
    stopping: 'accept',
    restarting: 'accept',
    running: 'accept',
    stopped: 'accept',
    suspended: 'accept',
    removing: 'nothing',
    error: 'accept',
  },
};

export type Decision =
  { readonly kind: 'accept' | 'join' | 'nothing' } | { readonly kind: 'refuse'; readonly code: ActionRefusal };

const WHEN_LOCKED: ReadonlySet<string> = new Set<ServiceAction>(['stop', 'suspend', 'reconcile', 'remove']);

/** Whether an operation is allowed on a locked service. The lock itself is removed only by a reconcile. */
export const worksWhenLocked = (action: ServiceAction | DeploymentTrigger): boolean => WHEN_LOCKED.has(action);

const REFUSALS = {
  busy: 'deployment_in_progress',
  invalid: 'invalid_state',
  suspended: 'service_suspended',
} as const;

/** A suspension takes effect when it is accepted, even while the containers are still stopping. */
export function decide(
  action: ServiceAction,
  service: Pick<ServiceState, 'status' | 'suspended' | 'locked'>,
): Decision {
  const status = service.suspended && service.status !== 'removing' ? 'suspended' : service.status;
  const rule = ACTION_RULES[action][status];
  switch (rule) {
    case 'accept':
      return service.locked && !worksWhenLocked(action) ? { kind: 'refuse', code: 'service_locked' } : { kind: rule };
    case 'join':
    case 'nothing':
      return { kind: rule };
    case 'busy':
    case 'invalid':
    case 'suspended':
      return { kind: 'refuse', code: REFUSALS[rule] };
  }
}

/** The status that the 202 response shows and that the service keeps until the operation ends. Null: unchanged. */
export const STATUS_WHILE: Readonly<Record<ServiceAction, ServiceStatus | null>> = {
  start: 'starting',
  stop: 'stopping',
  restart: 'restarting',
  update: 'deploying',
  redeploy: 'deploying',
  rollback: 'deploying',
  suspend: 'stopping',
  unsuspend: 'starting',
  reconcile: null,
  remove: 'removing',
};

/** The status of a service while a worker carries the operation out. Null: unchanged. */
export const STATUS_DURING: Readonly<Record<DeploymentTrigger, ServiceStatus | null>> = {
  ...STATUS_WHILE,
  create: 'deploying',
  git: 'deploying',
  push: 'deploying',
  template: 'deploying',
  analysis: 'deploying',
  restore: 'deploying',
  clone: 'deploying',
};

/** Actions that replace a queued operation. */
export const OVERRULING: ReadonlySet<ServiceAction> = new Set(['suspend', 'remove'] as const);

/** The desired state after the operation. Operations that are not listed do not change it. */
export const DESIRED_BY: Readonly<Partial<Record<DeploymentTrigger, DesiredState>>> = {
  start: 'running',
  restart: 'running',
  stop: 'stopped',
};
