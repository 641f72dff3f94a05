import { Injectable } from '@nestjs/common';
import { ContainerRuntime, DomainVerification, IngressChanges, IngressRoutes, IngressSettings } from '#libs/services';
import { Watch } from './watch.js';

const LOOK_EVERY_MS = 500;
const VERIFY_EVERY_MS = 1_000;
const LISTEN_AGAIN_MS = 1_000;
const RESTORE_EVERY_MS = 5_000;
const SYNC_EVERY_MS = 60_000;
/** Containers of a group start together: one update for all of them. */
const SETTLING_MS = 200;

/**
 * Keeps the ingress in line with the database: at start, when a domain or its target has changed, when a container has
 * started or exited, when somebody has changed the ingress itself, and every minute.
 */
@Injectable()
export class IngressWatch extends Watch {
  private nextSyncAt = 0;
  private restoreAt = 0;
  private certificatesAt = 0;

  constructor(
    private readonly settings: IngressSettings,
    private readonly routes: IngressRoutes,
    private readonly changes: IngressChanges,
    private readonly verification: DomainVerification,
    private readonly runtime: ContainerRuntime,
  ) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    if (!this.settings.isOn) return [];
    return [
      this.repeat(LOOK_EVERY_MS, () => this.keep()),
      this.repeat(VERIFY_EVERY_MS, () => this.verify()),
      this.repeat(LISTEN_AGAIN_MS, () => this.attempt("the engine's events", () => this.listen())),
    ];
  }

  private async keep(): Promise<void> {
    await this.attempt('checking for changed domains', async () => {
      if (await this.changes.haveCome()) this.nextSyncAt = 0;
    });
    const now = performance.now();
    if (now >= this.nextSyncAt) {
      this.nextSyncAt = now + SYNC_EVERY_MS;
      const isDone = await this.attempt('routing', () => this.routes.sync());
      if (!isDone) this.nextSyncAt = Math.min(this.nextSyncAt, performance.now() + RESTORE_EVERY_MS);
      this.restoreAt = performance.now() + RESTORE_EVERY_MS;
    } else if (now >= this.restoreAt) {
      this.restoreAt = now + RESTORE_EVERY_MS;
      await this.attempt('updating the ingress', () => this.routes.restore());
    }
  }

  private async verify(): Promise<void> {
    await this.attempt('verifying domains', () => this.verification.checkDue());
    if (performance.now() < this.certificatesAt) return;
    this.certificatesAt = performance.now() + RESTORE_EVERY_MS;
    await this.attempt('reading certificates', () => this.verification.noteCertificates());
  }

  /** A restarted container may have another address. */
  private async listen(): Promise<void> {
    for await (const event of this.runtime.events(null, this.signal)) {
      const isNews = event.kind === 'resumed' || event.change === 'started' || event.change === 'died';
      if (isNews) this.nextSyncAt = Math.min(this.nextSyncAt, performance.now() + SETTLING_MS);
    }
  }
}
