import type { Uuid } from '#kernel/crypto/uuid';
import type { BackupHistory } from '../../domain/backup-alarm.js';

export interface ServiceHistory extends Omit<BackupHistory, 'periodMs'> {
  readonly serviceId: Uuid;
  readonly customerId: Uuid | null;
  readonly schedule: string | null;
  /** The code of the alarm that is raised; null without one. */
  readonly raised: string | null;
}

/** How the backups of services went. */
export abstract class BackupHistories {
  /** Of every service of a database template that exists. Copies for point-in-time recovery do not count. */
  abstract ofAll(): Promise<readonly ServiceHistory[]>;
}
