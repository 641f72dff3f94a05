import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { ServiceFeed } from '#libs/services';
import type { Backup } from '../domain/backup.js';
import { AgreedTime } from './ports/agreed-time.js';
import { BackupRepository } from './ports/backup-repository.js';

/** Stores changes of backups and publishes them to the service feed in the same transaction. */
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

  /** @returns false when nothing was stored because a backup of the service is already queued or running */
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

  /** For the worker that holds the lease. @throws BackupLeaseLost; nothing has been stored then */
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
