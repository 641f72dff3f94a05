import { Injectable } from '@nestjs/common';
import { StoredBackupChecks } from '#libs/backups';
import { Watch } from './watch.js';

const DAY_MS = 86_400_000;
/** After a failure, the destination is checked again sooner. */
const HOUR_MS = 3_600_000;

/** Checks the destination of backups at start and every day, and whether the stored backups are still there. */
@Injectable()
export class BackupStoreWatch extends Watch {
  constructor(private readonly checks: StoredBackupChecks) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    return [this.repeat(0, () => this.turn())];
  }

  private async turn(): Promise<void> {
    let isFine = false;
    await this.attempt('checking backups', async () => (isFine = await this.look()));
    await this.pause(isFine ? DAY_MS : HOUR_MS);
  }

  private async look(): Promise<boolean> {
    const problem = await this.checks.destination();
    if (problem !== null) {
      this.logger.error(`Backups cannot be stored: ${problem}.`);
      return false;
    }
    const lost = await this.checks.kept();
    if (lost > 0) this.logger.error(`${lost} backup(s) are missing from the destination or were changed there.`);
    return true;
  }
}
