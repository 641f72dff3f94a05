import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource } from 'typeorm';

const BEAT_MS = 500;
/** An answer usually takes less than a millisecond, and less than a second from a busy server. */
const SILENT_AFTER_MS = 2_500;

/**
 * Monitors whether the database answers, over its own connection. A lost connection does not count as silence, because
 * requests notice it by themselves.
 */
@Injectable()
export class DatabasePulse implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;
  private client: pg.Client | null = null;
  private askedAt: number | null = null;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.beat(), BEAT_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  isSilent(): boolean {
    return this.askedAt !== null && performance.now() - this.askedAt > SILENT_AFTER_MS;
  }

  private beat(): void {
    if (this.askedAt !== null) return;
    this.askedAt = performance.now();
    const answered = () => (this.askedAt = null);
    this.ask().then(answered, () => {
      this.client = null;
      answered();
    });
  }

  private async ask(): Promise<void> {
    if (!this.client) {
      const connectionString = (this.dataSource.options as { url?: string }).url;
      const client = new pg.Client({ connectionString, keepAlive: true, application_name: 'tenantry-pulse' });
      // Without a listener a lost connection would end the process.
      client.on('error', () => (this.client = null));
      this.client = client;
      await client.connect();
    }
    await this.client.query('select');
  }
}
