import { Injectable } from '@nestjs/common';
import { LogRound, StoredBackupChecks } from '#libs/backups';
import { Watch } from './watch.js';

const DAY_MS = 86_400_000;
/** After a failure, the destination is checked again sooner. */
const HOUR_MS = 3_600_000;

/** Checks the destination of backups at start and every day, and whether the stored backups are still there. */
@Injectable()
export class BackupStoreWatch extends Watch {
  constructor(
    private readonly checks: StoredBackupChecks,
    private readonly logs: LogRound,
  ) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    return [this.repeat(0, () => this.turn()), this.repeat(DAY_MS, () => this.read())];
  }

  private async turn(): Promise<void> {
    let isFine = false;
    await this.attempt('checking backups', async () => (isFine = await this.look()));
    await this.pause(isFine ? DAY_MS : HOUR_MS);
  }

  /** On its own: to read takes long, and a slow store must not hold up the rest. */
  private async read(): Promise<void> {
    await this.attempt('reading backups', async () => this.sayLost(await this.checks.newest(this.signal)));
    await this.attempt('reading shipped logs', () =>
      this.logs.check('contents', this.signal, (serviceId, error) =>
        this.say(`reading the log of ${serviceId}`, error),
      ),
    );
  }

  private sayLost(lost: number): void {
    if (lost > 0) this.logger.error(`${lost} backup(s) are missing from the destination or were changed there.`);
  }

  private async look(): Promise<boolean> {
    const problem = await this.checks.destination();
    if (problem !== null) {
      this.logger.error(`Backups cannot be stored: ${problem}.`);
      return false;
    }
    this.sayLost(await this.checks.kept());
    return true;
  }
}
