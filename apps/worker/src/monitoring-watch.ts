import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { EngineMonitor, MonitoringSettings } from '#libs/services';

const BEAT_MS = 2_000;
const CLEAR_EVERY_MS = 600_000;
const PAUSE_MS = 100;
const QUIET_MS = 30_000;

/** Samples resource use and health of services, if no other worker does. */
@Injectable()
export class MonitoringWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('MonitoringWatch');
  private readonly end = new AbortController();
  private loops: Promise<void>[] = [];
  private holds = false;
  private isSilent = false;
  private nextRoundAt = 0;
  private saidAt = -Infinity;

  constructor(
    private readonly monitor: EngineMonitor,
    private readonly settings: MonitoringSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.loops = [this.beat(), this.look()];
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await Promise.allSettled(this.loops);
    await this.monitor.release().catch(() => undefined);
  }

  /** Keeps the sampling lease, and detects between two samples whether the engine stopped or resumed answering. */
  private async beat(): Promise<void> {
    while (!this.end.signal.aborted) {
      this.holds = await this.attempt('taking the lease of the monitoring', () => this.monitor.hold(), false);
      if (this.holds) {
        const wasSilent = this.isSilent;
        await this.asked('the engine', () => this.monitor.knock(this.end.signal));
        if (wasSilent && !this.isSilent) this.nextRoundAt = 0;
      }
      await this.pause(BEAT_MS);
    }
  }

  private async look(): Promise<void> {
    let clearAt = performance.now() + CLEAR_EVERY_MS;
    while (!this.end.signal.aborted) {
      const now = performance.now();
      if (this.holds && now >= this.nextRoundAt) {
        const { intervalMs } = this.settings;
        this.nextRoundAt = now - this.nextRoundAt < intervalMs ? this.nextRoundAt + intervalMs : now + intervalMs;
        await this.asked('sampling the services', async () => {
          for (const id of await this.monitor.round(this.end.signal))
            this.logger.warn(`service ${id} stays unhealthy: it is restarted`);
        });
      }
      if (this.holds && now >= clearAt) {
        clearAt = now + CLEAR_EVERY_MS;
        await this.attempt('clearing the history', () => this.monitor.clear(), undefined);
      }
      await this.pause(Math.min(PAUSE_MS, this.settings.intervalMs / 4));
    }
  }

  private asked(what: string, ask: () => Promise<void>): Promise<void> {
    const heard = async () => {
      try {
        await ask();
        this.isSilent = false;
      } catch (error) {
        this.isSilent = true;
        throw error;
      }
    };
    return this.attempt(what, heard, undefined);
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.end.signal }).catch(() => undefined);
  }

  /** Failures are retried at the next run; at most one line in 30 seconds is logged. */
  private async attempt<T>(what: string, work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!this.end.signal.aborted && performance.now() - this.saidAt >= QUIET_MS) {
        this.saidAt = performance.now();
        this.logger.warn(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
      return otherwise;
    }
  }
}
