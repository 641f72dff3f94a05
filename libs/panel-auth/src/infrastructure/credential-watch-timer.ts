import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CredentialWatch } from '../application/credential-watch.js';

const EVERY_MS = 500;

/** Runs the check of the watched credentials twice a second, never two at once. */
@Injectable()
export class CredentialWatchTimer implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(CredentialWatchTimer.name);
  private timer: NodeJS.Timeout | undefined;
  private isFailing = false;

  constructor(private readonly watch: CredentialWatch) {}

  onModuleInit(): void {
    this.schedule();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    this.timer = setTimeout(() => void this.run(), EVERY_MS).unref();
  }

  private async run(): Promise<void> {
    try {
      await this.watch.check();
      this.isFailing = false;
    } catch (error) {
      // While the database is away nobody can revoke anything either; one line is logged for the whole outage.
      if (!this.isFailing) this.logger.warn(`credentials of open connections not checked: ${String(error)}`);
      this.isFailing = true;
    }
    if (this.timer) this.schedule();
  }
}
