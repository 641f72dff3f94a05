import { Injectable } from '@nestjs/common';
import { EngineMonitor, MonitoringSettings } from '#libs/services';
import { Watch } from './watch.js';

const BEAT_MS = 2_000;
const CLEAR_EVERY_MS = 600_000;
const PAUSE_MS = 100;

/** Samples resource use and health of services, if no other worker does. */
@Injectable()
export class MonitoringWatch extends Watch {
  private holds = false;
  private isSilent = false;
  private nextRoundAt = 0;
  private clearAt = performance.now() + CLEAR_EVERY_MS;

  constructor(
    private readonly monitor: EngineMonitor,
    private readonly settings: MonitoringSettings,
  ) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    const pauseMs = Math.min(PAUSE_MS, this.settings.intervalMs / 4);
    return [this.repeat(BEAT_MS, () => this.beat()), this.repeat(pauseMs, () => this.look())];
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.monitor.release().catch(() => undefined);
  }

  /** Keeps the sampling lease, and detects between two samples whether the engine stopped or resumed answering. */
  private async beat(): Promise<void> {
    let holds = false;
    await this.attempt('taking the lease of the monitoring', async () => (holds = await this.monitor.hold()));
    this.holds = holds;
    if (!holds) return;
    const wasSilent = this.isSilent;
    await this.ask('the engine', () => this.monitor.knock(this.signal));
    if (wasSilent && !this.isSilent) this.nextRoundAt = 0;
  }

  private async look(): Promise<void> {
    const now = performance.now();
    if (this.holds && now >= this.nextRoundAt) {
      const { intervalMs } = this.settings;
      this.nextRoundAt = now - this.nextRoundAt < intervalMs ? this.nextRoundAt + intervalMs : now + intervalMs;
      await this.ask('sampling the services', async () => {
        for (const id of await this.monitor.round(this.signal))
          this.logger.warn(`service ${id} stays unhealthy: it is restarted`);
      });
    }
    if (this.holds && now >= this.clearAt) {
      this.clearAt = now + CLEAR_EVERY_MS;
      await this.attempt('clearing the history', () => this.monitor.clear());
    }
  }

  private async ask(what: string, question: () => Promise<void>): Promise<void> {
    this.isSilent = !(await this.attempt(what, question));
  }
}
