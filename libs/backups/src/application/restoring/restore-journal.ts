import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { ServiceFeed, TemplateServices } from '#libs/services';
import type { Restore } from '../../domain/restore.js';
import { AgreedTime } from '../ports/agreed-time.js';
import { RestoreRepository } from '../ports/restore-repository.js';

/** Stores changes of restores and publishes them to the service feed in the same transaction. */
@Injectable()
export class RestoreJournal {
  constructor(
    readonly restores: RestoreRepository,
    readonly transactions: Transactions,
    readonly time: AgreedTime,
    private readonly clock: Clock,
    private readonly feed: ServiceFeed,
    private readonly services: TemplateServices,
  ) {}

  /** @throws RestoreInProgress */
  insert(restore: Restore): Promise<void> {
    return this.transactions.run(async () => {
      await this.restores.insert(restore);
      await this.tell(restore);
    });
  }

  /** For the worker that holds the lease. @throws BackupLeaseLost; nothing has been stored then */
  updateHeld(restore: Restore, worker: Uuid): Promise<void> {
    return this.transactions.run(async () => {
      await this.restores.assertHeld(restore.id, worker);
      await this.restores.update(restore);
      const { status, into, targetId } = restore.state;
      if (status === 'succeeded' && into === 'new') await this.services.dataArrived(targetId, this.clock.now());
      await this.tell(restore);
    });
  }

  private tell({ state }: Restore): Promise<void> {
    const { id, backupId, serviceId, customerId, targetId, into, status, errorMessage } = state;
    const restore = { restoreId: id, targetServiceId: targetId, into, status, errorMessage };
    const event = { type: 'backup.status' as const, customerId, deploymentId: null, at: this.clock.now() };
    const watched = targetId === serviceId ? [serviceId] : [serviceId, targetId];
    return this.feed.append(watched.map((id) => ({ ...event, serviceId: id, data: { backupId, serviceId, restore } })));
  }
}
