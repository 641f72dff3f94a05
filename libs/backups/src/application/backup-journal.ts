import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { ServiceFeed } from '#libs/services';
import type { Backup } from '../domain/backup.js';
import { AgreedTime } from './ports/agreed-time.js';
import { BackupRepository } from './ports/backup-repository.js';

/** Stores what happens to backups and tells those who watch, both or neither. */
@Injectable()
export class BackupJournal {
  constructor(
    readonly backups: BackupRepository,
    readonly transactions: Transactions,
    readonly time: AgreedTime,
    private readonly clock: Clock,
    private readonly feed: ServiceFeed,
  ) {}

  /** @throws BackupInProgress */
  insert(backup: Backup): Promise<void> {
    return this.transactions.run(async () => {
      await this.backups.insert(backup);
      await this.tell(backup);
    });
  }

  /** @returns whether it was stored; one that waits or runs already serves as well */
  async insertUnlessBusy(backup: Backup): Promise<boolean> {
    if (await this.backups.isBusy(backup.state.serviceId)) return false;
    await this.insert(backup);
    return true;
  }

  update(backup: Backup): Promise<void> {
    return this.transactions.run(async () => {
      await this.backups.update(backup);
      await this.tell(backup);
    });
  }

  /** For a worker, while it holds the backup. @throws BackupLeaseLost; then nothing was stored */
  updateHeld(backup: Backup, worker: Uuid): Promise<void> {
    return this.transactions.run(async () => {
      await this.backups.assertHeld(backup.id, worker);
      await this.update(backup);
    });
  }

  private tell({ state }: Backup): Promise<void> {
    const { id, serviceId, customerId, kind, status, trigger, verification, errorMessage } = state;
    const data = {
      backupId: id,
      serviceId,
      kind,
      status,
      trigger,
      errorMessage,
      verification: verification && { status: verification.status, errorMessage: verification.errorMessage },
    };
    const at = this.clock.now();
    return this.feed.append([{ type: 'backup.status', serviceId, customerId, deploymentId: null, data, at }]);
  }
}
