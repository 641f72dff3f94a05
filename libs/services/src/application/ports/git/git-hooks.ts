import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

export interface GitHook {
  readonly serviceId: Uuid;
  /** Random id in the URL of the hook. It does not reveal the service. */
  readonly hookId: string;
  readonly secret: SecretText;
}

export const HOOK_OUTCOMES = ['deployed', 'duplicate', 'ignored', 'refused', 'removed'] as const;
export type HookOutcome = (typeof HOOK_OUTCOMES)[number];

export interface HookDelivery {
  readonly id: Uuid;
  readonly serviceId: Uuid;
  readonly provider: string;
  readonly event: string;
  readonly ref: string | null;
  readonly commitSha: string | null;
  /** Number of the pull request. Null for a push to a branch. */
  readonly pullRequest: number | null;
  readonly outcome: HookOutcome;
  /** Why it was not deployed. */
  readonly message: string | null;
  readonly deploymentId: Uuid | null;
  /** The delivery that a user repeated with this one. */
  readonly redeliveryOf: Uuid | null;
  readonly receivedAt: Date;
}

/** The hooks of services and their deliveries. */
export abstract class GitHooks {
  /**
   * Creates the hook of a service, or replaces its secret and keeps its id. Runs in the current transaction.
   * @returns the id
   */
  abstract put(hook: GitHook, at: Date): Promise<string>;
  abstract find(hookId: string): Promise<GitHook | null>;
  abstract ofService(serviceId: Uuid): Promise<{ readonly hookId: string; readonly createdAt: Date } | null>;
  abstract remove(serviceId: Uuid): Promise<boolean>;
  /**
   * Runs in the current transaction.
   * @returns false if an earlier push has deployed that commit; a redelivery and a pull request may deploy it again
   */
  abstract record(delivery: HookDelivery): Promise<boolean>;
  /** Whether a delivery of that pull request has deployed that commit. */
  abstract hasDeployed(serviceId: Uuid, pullRequest: number, commitSha: string): Promise<boolean>;
  abstract delivery(serviceId: Uuid, id: Uuid): Promise<HookDelivery | null>;
  /** Newest first. */
  abstract deliveries(serviceId: Uuid, limit: number): Promise<readonly HookDelivery[]>;
}
