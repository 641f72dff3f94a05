import type { Uuid } from '#kernel/crypto/uuid';
import type { ChangePlan } from '../../domain/change-plan.js';

/** The request of a plan. It may contain passwords, so it is sealed at rest. */
export type ChangeRequest = Readonly<Record<string, unknown>>;

/** Plans belong to the key that asked for them: no other key finds them. */
export abstract class ChangePlanRepository {
  abstract insert(plan: ChangePlan, request: ChangeRequest): Promise<void>;
  abstract find(
    apiKeyId: Uuid,
    id: Uuid,
  ): Promise<{ readonly plan: ChangePlan; readonly request: ChangeRequest } | null>;
  /** Locks the row until the transaction ends. */
  abstract getForUpdate(apiKeyId: Uuid, id: Uuid): Promise<ChangePlan | null>;
  abstract update(plan: ChangePlan): Promise<void>;
  /** Deletes plans that expired before then. */
  abstract forget(before: Date): Promise<void>;
}
