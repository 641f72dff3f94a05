import type { Uuid } from '#kernel/crypto/uuid';
import type { DeploymentStrategy, StepName } from './deploy-plan.js';
import type { GroupTopology } from './group-topology.js';

export const DEPLOYMENT_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'superseded'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

export const DEPLOYMENT_TRIGGERS = [
  'create',
  'update',
  'redeploy',
  'start',
  'stop',
  'restart',
  'suspend',
  'unsuspend',
  'git',
  'push',
  'template',
  'analysis',
  'rollback',
  'restore',
  'clone',
  'reconcile',
  'remove',
] as const;
export type DeploymentTrigger = (typeof DEPLOYMENT_TRIGGERS)[number];

/** Who started it. Both are null if it was the panel itself. */
export interface DeploymentActor {
  readonly userId: Uuid | null;
  readonly apiKeyId: Uuid | null;
}

export type StepStatus = 'running' | 'succeeded' | 'failed';

export interface DeploymentStep {
  readonly name: StepName;
  readonly status: StepStatus;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly message: string | null;
}

export interface DeploymentState {
  readonly id: Uuid;
  readonly serviceId: Uuid;
  readonly trigger: DeploymentTrigger;
  readonly status: DeploymentStatus;
  readonly actor: DeploymentActor;
  readonly specVersion: number;
  /** For `rollback`: the deployment whose images and specification are used again. */
  readonly sourceDeploymentId: Uuid | null;
  /** `code: text`. Null unless it failed, was cancelled or superseded, or the panel started it for a reason. */
  readonly errorMessage: string | null;
  /** The previous containers were restored. */
  readonly reverted: boolean;
  readonly steps: readonly DeploymentStep[];
  /** Its containers. Null before the commit point. */
  readonly topology: GroupTopology | null;
  /** Null before the commit point and for operations that create no containers. */
  readonly strategy: DeploymentStrategy | null;
  /** The commit that was built. Null if it does not come from a repository. */
  readonly commitSha: string | null;
  /** How often a worker took it up. More than once after a crash. */
  readonly attempts: number;
  readonly cancelRequested: boolean;
  /** The commit point: containers are touched only after it. */
  readonly committedAt: Date | null;
  /** When the new containers passed the health gate. They serve from then on. */
  readonly provenAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}
