import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ContainerRuntime, DomainVerification, IngressChanges, IngressRoutes, IngressSettings } from '#libs/services';

const LOOK_EVERY_MS = 500;
const VERIFY_EVERY_MS = 1_000;
const RESTORE_EVERY_MS = 5_000;
const SYNC_EVERY_MS = 60_000;
/** Containers of a group start together: one update for all of them. */
const SETTLING_MS = 200;
const QUIET_MS = 30_000;

/**
 * Keeps the ingress in line with the database: at start, when a domain or its target has changed, when a container has
 * started or exited, when somebody has changed the ingress itself, and every minute.
 */
@Injectable()
export class IngressWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('IngressWatch');
  private readonly end = new AbortController();
  private loops: Promise<void>[] = [];
  private nextSyncAt = 0;
  private saidAt = -Infinity;

  constructor(
    private readonly settings: IngressSettings,
    private readonly routes: IngressRoutes,
    private readonly changes: IngressChanges,
    private readonly verification: DomainVerification,
    private readonly runtime: ContainerRuntime,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.isOn) this.loops = [this.keep(), this.verify(), this.listen()];
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await Promise.allSettled(this.loops);
  }

  private async keep(): Promise<void> {
    let restoreAt = 0;
    while (!this.end.signal.aborted) {
      await this.attempt('checking for changed domains', async () => {
        if (await this.changes.haveCome()) this.nextSyncAt = 0;
      });
      const now = performance.now();
      if (now >= this.nextSyncAt) {
        this.nextSyncAt = now + SYNC_EVERY_MS;
        const isDone = await this.attempt('routing', () => this.routes.sync());
        if (!isDone) this.nextSyncAt = Math.min(this.nextSyncAt, performance.now() + RESTORE_EVERY_MS);
        restoreAt = performance.now() + RESTORE_EVERY_MS;
      } else if (now >= restoreAt) {
        restoreAt = now + RESTORE_EVERY_MS;
        await this.attempt('updating the ingress', () => this.routes.restore());
      }
      await this.pause(LOOK_EVERY_MS);
    }
  }

  private async verify(): Promise<void> {
    let certificatesAt = 0;
    while (!this.end.signal.aborted) {
      await this.attempt('verifying domains', () => this.verification.checkDue());
      if (performance.now() >= certificatesAt) {
        certificatesAt = performance.now() + RESTORE_EVERY_MS;
        await this.attempt('reading certificates', () => this.verification.noteCertificates());
      }
      await this.pause(VERIFY_EVERY_MS);
    }
  }

  /** A restarted container may have another address. */
  private async listen(): Promise<void> {
    while (!this.end.signal.aborted) {
      await this.attempt("the engine's events", async () => {
        for await (const event of this.runtime.events(null, this.end.signal)) {
          const isNews = event.kind === 'resumed' || event.change === 'started' || event.change === 'died';
          if (isNews) this.nextSyncAt = Math.min(this.nextSyncAt, performance.now() + SETTLING_MS);
        }
      });
      await this.pause(VERIFY_EVERY_MS);
    }
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.end.signal }).catch(() => undefined);
  }

  /**
   * Failures are retried; at most one line in 30 seconds is logged.
   * @returns whether it was done
   */
  private async attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (this.end.signal.aborted || performance.now() - this.saidAt < QUIET_MS) return false;
      this.saidAt = performance.now();
      this.logger.warn(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
}
