import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import type { Backup } from '../domain/backup.js';
import { BackupJournal } from './backup-journal.js';
import { StorageFigures } from './ports/storage-figures.js';
import { BackupDestinationUnusable, BackupStore } from './ports/backup-store.js';
import { StoredCopies } from './stored-copies.js';

/** Checks that the destination works and that the backups in it are still there. */
@Injectable()
export class StoredBackupChecks {
  constructor(
    private readonly journal: BackupJournal,
    private readonly copies: StoredCopies,
    private readonly store: BackupStore,
    private readonly figures: StorageFigures,
  ) {}

  /** Tests the destination with an object of its own. @returns why it does not work; null when it does */
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
   * Checks existence and size of every kept backup. One that is missing or has another size is marked as failed.
   * @returns the number of lost backups
   * @throws BackupDestinationUnusable when the destination does not answer; no backup counts as lost then
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

  /**
   * Reads the newest backup of each service as a whole: one of the same size can hold something else. Older ones are read
   * until one is as it was.
   * @returns how many are lost
   */
  async newest(signal: AbortSignal): Promise<number> {
    let lost = 0;
    for (const serviceId of await this.journal.backups.servicesWithBackups()) {
      signal.throwIfAborted();
      const kept = [...(await this.journal.backups.kept(serviceId))];
      kept.sort((a, b) => b.state.createdAt.getTime() - a.state.createdAt.getTime());
      for (const backup of kept) {
        const defect = await this.copies.defect(backup);
        if (defect === null) break;
        if (await this.lose(backup.id, defect)) lost += 1;
      }
    }
    this.figures.lost(lost);
    return lost;
  }

  /**
   * After somebody has failed to read it.
   * @returns how it is lost, as a sentence; null when it is not: a destination that does not answer has lost nothing
   */
  async afterFailure(backup: Backup): Promise<string | null> {
    const defect = await this.copies.defect(backup).catch(() => null);
    if (defect !== null && (await this.lose(backup.id, defect))) this.figures.lost(1);
    return defect;
  }

  private lose(id: Uuid, defect: string): Promise<boolean> {
    return this.journal.transactions.run(async () => {
      const backup = await this.journal.backups.getForUpdate(OrganisationScope.all, id);
      // The backup may have expired in the meantime.
      if (backup?.state.status !== 'succeeded') return false;
      backup.lose(defect, await this.journal.time.shared());
      await this.journal.update(backup);
      return true;
    });
  }
}
