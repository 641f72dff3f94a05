import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Sessions, SignInJournal } from '#libs/panel-auth';

const EVERY_MS = 5 * 60_000;

/** Deletes expired rows to save space. Expired sessions are refused even before they are deleted. */
@Injectable()
export class SessionSweeper implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(SessionSweeper.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly journal: SignInJournal,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.sweep(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    try {
      await this.sessions.sweep();
      await this.journal.sweep();
    } catch (error) {
      this.logger.warn(`expired sessions not deleted: ${String(error)}`);
    }
  }
}
