import { Injectable } from '@nestjs/common';
import { LogRound } from '#libs/backups';
import { Watch } from './watch.js';

/** The interval bounds the possible loss of data: committed data are stored elsewhere within a minute. */
const ROUND_EVERY_MS = 20_000;
const MIN_PAUSE_MS = 1_000;
const CHECK_EVERY_MS = 3_600_000;

/** Ships the logs of databases whose policy asks for it. */
@Injectable()
export class BackupLogsWatch extends Watch {
  private checkAt = performance.now() + CHECK_EVERY_MS;

  constructor(private readonly round: LogRound) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    return [this.repeat(0, () => this.turn())];
  }

  private async turn(): Promise<void> {
    const began = performance.now();
    const isCheckDue = began >= this.checkAt;
    await this.attempt('looking for logs to ship', async () => {
      await this.round.run(this.signal, (serviceId, error) => this.say(`the log of service ${serviceId}`, error));
      if (isCheckDue)
        await this.round.check(this.signal, (serviceId, error) => this.say(`checking ${serviceId}`, error));
    });
    if (isCheckDue) this.checkAt = began + CHECK_EVERY_MS;
    await this.pause(Math.max(MIN_PAUSE_MS, ROUND_EVERY_MS - (performance.now() - began)));
  }
}
