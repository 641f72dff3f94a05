import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { StoredBackupChecks } from '#libs/backups';

const DAY_MS = 86_400_000;
/** A destination that does not work is asked again sooner. */
const HOUR_MS = 3_600_000;

/** Checks the destination of backups at start and every day, and whether it still holds what it was given. */
@Injectable()
export class BackupStoreWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('BackupStoreWatch');
  private readonly end = new AbortController();
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly checks: StoredBackupChecks) {}

  onApplicationBootstrap(): void {
    this.loop = this.work();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await this.loop;
  }

  private async work(): Promise<void> {
    const { signal } = this.end;
    while (!signal.aborted) {
      const isFine = await this.look().catch((error: unknown) => {
        if (!signal.aborted) this.logger.warn(`checking backups failed: ${(error as Error).message}`);
        return false;
      });
      await sleep(isFine ? DAY_MS : HOUR_MS, undefined, { signal }).catch(() => undefined);
    }
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
