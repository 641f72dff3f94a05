import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LogRound } from '#libs/backups';

/** What is committed lies elsewhere within a minute. */
const ROUND_EVERY_MS = 20_000;
const CHECK_EVERY_MS = 3_600_000;
const QUIET_MS = 30_000;

/** Ships the logs of databases whose policy asks for it. */
@Injectable()
export class BackupLogsWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('BackupLogsWatch');
  private readonly end = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private saidAt = -Infinity;

  constructor(private readonly round: LogRound) {}

  onApplicationBootstrap(): void {
    this.loop = this.work();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await this.loop;
  }

  private async work(): Promise<void> {
    const { signal } = this.end;
    let checkAt = performance.now() + CHECK_EVERY_MS;
    while (!signal.aborted) {
      const began = performance.now();
      const isCheckDue = began >= checkAt;
      try {
        await this.round.run(signal, (serviceId, error) => this.say(`the log of service ${serviceId}`, error));
        if (isCheckDue) await this.round.check(signal, (serviceId, error) => this.say(`checking ${serviceId}`, error));
      } catch (error) {
        this.say('looking for logs to ship', error);
      }
      if (isCheckDue) checkAt = began + CHECK_EVERY_MS;
      const rest = Math.max(1_000, ROUND_EVERY_MS - (performance.now() - began));
      await sleep(rest, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One line in half a minute: what fails is tried again. */
  private say(what: string, error: unknown): void {
    if (this.end.signal.aborted || performance.now() - this.saidAt < QUIET_MS) return;
    this.saidAt = performance.now();
    this.logger.warn(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
