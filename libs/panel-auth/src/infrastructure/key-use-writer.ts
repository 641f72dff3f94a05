import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { KeyUses } from '../application/key-uses.js';

const FLUSH_EVERY_MS = 10_000;

/** Writes the collected uses of keys every ten seconds, and once more before the process ends. */
@Injectable()
export class KeyUseWriter implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyUseWriter.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly uses: KeyUses) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async flush(): Promise<void> {
    // Nothing depends on these times: a failed batch is retried with the next one.
    await this.uses.flush().catch((error: unknown) => this.logger.warn(`key uses not written: ${String(error)}`));
  }
}
