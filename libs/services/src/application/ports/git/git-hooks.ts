import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

export interface GitHook {
  readonly serviceId: Uuid;
  /** Stands in its address; says nothing about the service. */
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
  /** Its number; null for a push to a branch. */
  readonly pullRequest: number | null;
  readonly outcome: HookOutcome;
  /** Why it was not deployed. */
  readonly message: string | null;
  readonly deploymentId: Uuid | null;
  /** The delivery that somebody had delivered once more. */
  readonly redeliveryOf: Uuid | null;
  readonly receivedAt: Date;
}

/** The hooks of services, and what was delivered to them. */
export abstract class GitHooks {
  /** In the current transaction: makes the hook of a service, or gives it a new secret and keeps its address. */
  abstract put(hook: GitHook, at: Date): Promise<string>;
  abstract find(hookId: string): Promise<GitHook | null>;
  abstract ofService(serviceId: Uuid): Promise<{ readonly hookId: string; readonly createdAt: Date } | null>;
  abstract remove(serviceId: Uuid): Promise<boolean>;
  /**
   * In the current transaction. @returns false when that commit was deployed by a push before; a redelivery and a pull
   * request may deploy it again
   */
  abstract record(delivery: HookDelivery): Promise<boolean>;
  /** Whether a delivery about that pull request has deployed that commit. */
  abstract hasDeployed(serviceId: Uuid, pullRequest: number, commitSha: string): Promise<boolean>;
  abstract delivery(serviceId: Uuid, id: Uuid): Promise<HookDelivery | null>;
  /** Newest first. */
  abstract deliveries(serviceId: Uuid, limit: number): Promise<readonly HookDelivery[]>;
}
