import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import { BackupJournal } from './backup-journal.js';
import { StorageFigures } from './ports/storage-figures.js';
import { BackupDestinationUnusable, BackupStore } from './ports/backup-store.js';
import { StoredCopies } from './stored-copies.js';

/** Whether the destination works, and whether it still holds what it was given. */
@Injectable()
export class StoredBackupChecks {
  constructor(
    private readonly journal: BackupJournal,
    private readonly copies: StoredCopies,
    private readonly store: BackupStore,
    private readonly figures: StorageFigures,
  ) {}

  /** Writes, reads back, compares, deletes. @returns why it does not work, as a sentence; null when it does */
  async destination(): Promise<string | null> {
    try {
      await this.store.check();
      this.figures.destination(true);
      return null;
    } catch (error) {
      this.figures.destination(false);
      if (error instanceof BackupDestinationUnusable) return error.message;
      throw error;
    }
  }

  /**
   * Looks at every backup that is kept. One that is missing, or has another size, is one no more: its record says so and
   * whoever watches hears of it.
   * @returns how many are lost
   * @throws BackupDestinationUnusable: a destination that does not answer has lost nothing
   */
  async kept(): Promise<number> {
    let lost = 0;
    for (const serviceId of await this.journal.backups.servicesWithBackups()) {
      for (const backup of await this.journal.backups.kept(serviceId)) {
        const defect = await this.copies.quickDefect(backup);
        if (defect !== null && (await this.lose(backup.id, defect))) lost += 1;
      }
    }
    this.figures.lost(lost);
    return lost;
  }

  private lose(id: Uuid, defect: string): Promise<boolean> {
    return this.journal.transactions.run(async () => {
      const backup = await this.journal.backups.getForUpdate(OrganisationScope.all, id);
      // It may have expired in the meantime.
      if (backup?.state.status !== 'succeeded') return false;
      backup.lose(defect, await this.journal.time.shared());
      await this.journal.update(backup);
      return true;
    });
  }
}
