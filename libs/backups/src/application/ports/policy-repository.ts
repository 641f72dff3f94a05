import type { Uuid } from '#kernel/crypto/uuid';
import type { BackupPolicy } from '../../domain/backup-policy.js';

export abstract class PolicyRepository {
  /** Null where nobody has set one. */
  abstract get(serviceId: Uuid): Promise<BackupPolicy | null>;
  abstract save(policy: BackupPolicy, at: Date): Promise<void>;
  /** Locks those whose time has come, of services that exist; skips what another worker has locked. */
  abstract due(now: Date, limit: number): Promise<readonly BackupPolicy[]>;
  /** Locks those with a schedule, of services that exist; skips what another worker has locked. */
  abstract scheduled(): Promise<readonly BackupPolicy[]>;
}
