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

/** Who asked for it. Both null: the panel itself. */
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
  /** The deployment whose images and specification are taken up again, for `rollback`. */
  readonly sourceDeploymentId: Uuid | null;
  /** `code: text`; null unless it failed, was cancelled or superseded, or the panel had a reason of its own for it. */
  readonly errorMessage: string | null;
  /** The containers of before are back. */
  readonly reverted: boolean;
  readonly steps: readonly DeploymentStep[];
  /** What it made; known from its commit point on. */
  readonly topology: GroupTopology | null;
  /** Known from the commit point on; null for what makes no containers. */
  readonly strategy: DeploymentStrategy | null;
  /** What was built; null for what comes from no repository. */
  readonly commitSha: string | null;
  /** How often a worker took it up; more than once after crashes. */
  readonly attempts: number;
  readonly cancelRequested: boolean;
  /** From here on containers are touched. */
  readonly committedAt: Date | null;
  /** From here on the new containers are the service. */
  readonly provenAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}
