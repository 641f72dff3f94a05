import type { Uuid } from '#kernel/crypto/uuid';
import type { BackupPolicy } from '../../domain/backup-policy.js';

export abstract class PolicyRepository {
  /** Null when no policy has been set; `defaultPolicy` applies then. */
  abstract get(serviceId: Uuid): Promise<BackupPolicy | null>;
  abstract save(policy: BackupPolicy, at: Date): Promise<void>;
  /** Locks the policies of existing services whose next run has come; skips those that another worker has locked. */
  abstract due(now: Date, limit: number): Promise<readonly BackupPolicy[]>;
  /** Locks the policies of existing services that have a schedule; skips those that another worker has locked. */
  abstract scheduled(): Promise<readonly BackupPolicy[]>;
}
