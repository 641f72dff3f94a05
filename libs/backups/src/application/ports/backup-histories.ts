import type { Uuid } from '#kernel/crypto/uuid';
import type { BackupHistory } from '../../domain/backup-alarm.js';

export interface ServiceHistory extends Omit<BackupHistory, 'periodMs'> {
  readonly serviceId: Uuid;
  readonly customerId: Uuid | null;
  readonly schedule: string | null;
  /** The code of the service's present alarm; null when it has none. */
  readonly raised: string | null;
}

/** Summaries of the past backups of services. */
export abstract class BackupHistories {
  /**
   * One entry for every existing service of a database template. Base backups for point-in-time recovery do not count.
   */
  abstract ofAll(): Promise<readonly ServiceHistory[]>;
}
