import { Injectable } from '@nestjs/common';
import { parseUuid } from '#kernel/crypto/uuid';
import { ContainerRuntime, DeployRunner, DiskLimits, ReconcileServices } from '#libs/services';
import { Watch } from './watch.js';

const LOOK_EVERY_MS = 250;
const RESEND_EVERY_MS = 2_000;
const SURVEY_EVERY_MS = 60_000;
const MEASURE_EVERY_MS = 300_000;
const LISTEN_AGAIN_MS = 1_000;
/** Containers often exit together: one comparison for all of them. */
const SETTLING_MS = 1_000;

/**
 * Reconciles services: at start, whenever the engine reports a container, and every minute. Differences become
 * deployments. It also continues what a dead worker had begun.
 */
@Injectable()
export class ServicesWatch extends Watch {
  private takenUp: Promise<unknown> | null = null;
  private resendAt = 0;
  private nextSurveyAt = 0;

  constructor(
    private readonly reconcile: ReconcileServices,
    private readonly runtime: ContainerRuntime,
    private readonly runner: DeployRunner,
    private readonly disks: DiskLimits,
  ) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    return [
      this.repeat(LOOK_EVERY_MS, () => this.tick()),
      this.repeat(LISTEN_AGAIN_MS, () => this.attempt("the engine's events", () => this.listen())),
      // In its own loop, because the engine may take minutes.
      this.repeat(MEASURE_EVERY_MS, () => this.attempt('measuring disk usage', () => this.measure())),
    ];
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.takenUp;
  }

  private async tick(): Promise<void> {
    const now = performance.now();
    if (now >= this.resendAt) {
      this.resendAt = now + RESEND_EVERY_MS;
      await this.attempt('sending deployments again', () => this.reconcile.resend());
      await this.attempt('taking over deployments', () => this.takeUp());
    }
    if (now >= this.nextSurveyAt) {
      this.nextSurveyAt = now + SURVEY_EVERY_MS;
      await this.attempt('reconciling the services', () => this.survey());
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

  private async measure(): Promise<void> {
    for (const { serviceId, text, stopped } of await this.disks.check(this.signal))
      this.logger.warn(`service ${serviceId}: ${text}${stopped ? ': it is stopped' : ''}`);
  }

  private async listen(): Promise<void> {
    for await (const event of this.runtime.events(null, this.signal)) {
      if (event.kind === 'container' && event.change === 'died') {
        const serviceId = parseUuid(event.serviceId);
        if (serviceId) await this.reconcile.noteEnding(serviceId, event);
      }
      const isNews = event.kind === 'resumed' || event.change === 'died' || event.change === 'removed';
      if (isNews) this.nextSurveyAt = Math.min(this.nextSurveyAt, performance.now() + SETTLING_MS);
    }
  }
}
