import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { parseUuid } from '#kernel/crypto/uuid';
import { ContainerRuntime, DeployRunner, DiskLimits, ReconcileServices } from '#libs/services';

const RESEND_EVERY_MS = 2_000;
const SURVEY_EVERY_MS = 60_000;
const MEASURE_EVERY_MS = 300_000;
/** Containers often exit together: one comparison for all of them. */
const SETTLING_MS = 1_000;
const QUIET_MS = 30_000;

/**
 * Reconciles services: at start, whenever the engine reports a container, and every minute. Differences become
 * deployments. It also continues what a dead worker had begun.
 */
@Injectable()
export class ServicesWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('ServicesWatch');
  private readonly end = new AbortController();
  private loops: Promise<void>[] = [];
  private takenUp: Promise<unknown> | null = null;
  private nextSurveyAt = 0;
  private saidAt = -Infinity;

  constructor(
    private readonly reconcile: ReconcileServices,
    private readonly runtime: ContainerRuntime,
    private readonly runner: DeployRunner,
    private readonly disks: DiskLimits,
  ) {}

  onApplicationBootstrap(): void {
    this.loops = [this.tick(), this.listen(), this.measure()];
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await Promise.allSettled([...this.loops, this.takenUp]);
  }

  private async tick(): Promise<void> {
    let resendAt = 0;
    while (!this.end.signal.aborted) {
      const now = performance.now();
      if (now >= resendAt) {
        resendAt = now + RESEND_EVERY_MS;
        await this.attempt('sending deployments again', () => this.reconcile.resend());
        await this.attempt('taking over deployments', () => this.takeUp());
      }
      if (now >= this.nextSurveyAt) {
        this.nextSurveyAt = now + SURVEY_EVERY_MS;
        await this.attempt('reconciling the services', () => this.survey());
      }
      await sleep(250, undefined, { signal: this.end.signal }).catch(() => undefined);
    }
  }

  /** Continues what dead workers left, one round at a time, in parallel with everything else. */
  private async takeUp(): Promise<void> {
    if (this.takenUp !== null) return;
    const ids = await this.reconcile.abandoned();
    if (ids.length === 0) return;
    const runs = ids.map((id) => this.attempt(`deployment ${id}`, () => this.runner.run(id)));
    this.takenUp = Promise.all(runs).then(() => (this.takenUp = null));
  }

  private async survey(): Promise<void> {
    for (const { serviceId, findings, action } of await this.reconcile.survey())
      this.logger.log(`service ${serviceId}: ${findings.join('; ')}: ${action}`);
  }

  /** In its own loop, because the engine may take minutes. */
  private async measure(): Promise<void> {
    while (!this.end.signal.aborted) {
      await this.attempt('measuring disk usage', async () => {
        for (const { serviceId, text, stopped } of await this.disks.check(this.end.signal))
          this.logger.warn(`service ${serviceId}: ${text}${stopped ? ': it is stopped' : ''}`);
      });
      await sleep(MEASURE_EVERY_MS, undefined, { signal: this.end.signal }).catch(() => undefined);
    }
  }

  private async listen(): Promise<void> {
    while (!this.end.signal.aborted) {
      await this.attempt("the engine's events", async () => {
        for await (const event of this.runtime.events(null, this.end.signal)) {
          if (event.kind === 'container' && event.change === 'died') {
            const serviceId = parseUuid(event.serviceId);
            if (serviceId) await this.reconcile.noteEnding(serviceId, event);
          }
          const isNews = event.kind === 'resumed' || event.change === 'died' || event.change === 'removed';
          if (isNews) this.nextSurveyAt = Math.min(this.nextSurveyAt, performance.now() + SETTLING_MS);
        }
      });
      await sleep(1_000, undefined, { signal: this.end.signal }).catch(() => undefined);
    }
  }

  /** Failures are retried at the next run; at most one line in 30 seconds is logged. */
  private async attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.end.signal.aborted || performance.now() - this.saidAt < QUIET_MS) return;
      this.saidAt = performance.now();
      this.logger.warn(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
