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
  constructor(private readonly round: LogRound) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    return [this.repeat(0, () => this.turn()), this.repeat(0, () => this.check())];
  }

  private async turn(): Promise<void> {
    const began = performance.now();
    await this.attempt('looking for logs to ship', () =>
      this.round.run(this.signal, (serviceId, error) => this.say(`the log of service ${serviceId}`, error)),
    );
    await this.pause(Math.max(MIN_PAUSE_MS, ROUND_EVERY_MS - (performance.now() - began)));
  }

  /** By itself: a store that hangs must not hold up what is to be shipped. */
  private async check(): Promise<void> {
    await this.pause(CHECK_EVERY_MS);
    if (this.signal.aborted) return;
    await this.attempt('checking shipped logs', () =>
      this.round.check('sizes', this.signal, (serviceId, error) => this.say(`checking ${serviceId}`, error)),
    );
  }
}
