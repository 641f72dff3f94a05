import type { DeploymentState } from '../../domain/deploying/deployment-state.js';

export const DEPLOYMENT_COLUMNS = `
  d.id, d.service_id as "serviceId", d.trigger, d.status, d.user_id as "userId", d.api_key_id as "apiKeyId",
  d.spec_version as "specVersion", d.source_deployment_id as "sourceDeploymentId", d.error_message as "errorMessage",
  d.reverted, d.steps, d.topology, d.strategy, d.commit_sha as "commitSha", d.attempts, d.cancel_requested as "cancelRequested",
  d.committed_at as "committedAt", d.proven_at as "provenAt", d.created_at as "createdAt",
  d.started_at as "startedAt", d.finished_at as "finishedAt"`;

type Step = DeploymentState['steps'][number];
type StoredStep = Omit<Step, 'startedAt' | 'finishedAt'> & { startedAt: string; finishedAt: string | null };

export type DeploymentRecord = Omit<DeploymentState, 'actor' | 'steps'> &
  DeploymentState['actor'] & { readonly steps: readonly StoredStep[] };

/** Times inside of JSON come back as texts. */
export function toDeploymentState({ userId, apiKeyId, steps, ...rest }: DeploymentRecord): DeploymentState {
  return {
    ...rest,
    actor: { userId, apiKeyId },
    steps: steps.map((step) => ({
      ...step,
      startedAt: new Date(step.startedAt),
      finishedAt: step.finishedAt === null ? null : new Date(step.finishedAt),
    })),
  };
}
