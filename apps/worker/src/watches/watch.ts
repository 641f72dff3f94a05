import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

const QUIET_MS = 30_000;

/** Loops that run as long as the worker does. A failed round is retried in the next one. */
export abstract class Watch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly end = new AbortController();
  private loops: readonly Promise<unknown>[] = [];
  private saidAt = -Infinity;

  /** Starts the loops. They end when `signal` is aborted. */
  protected abstract start(): readonly Promise<unknown>[];

  /** Aborted when the worker shuts down. */
  protected get signal(): AbortSignal {
    return this.end.signal;
  }

  onApplicationBootstrap(): void {
    this.loops = this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await Promise.allSettled(this.loops);
  }

  /** Runs rounds until the worker shuts down. @param pauseMs between two rounds */
  protected async repeat(pauseMs: number, turn: () => Promise<unknown>): Promise<void> {
    while (!this.signal.aborted) {
      await turn();
      await this.pause(pauseMs);
    }
  }

  protected async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  /** @returns whether it was done; a failure is logged */
  protected async attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.say(what, error);
      return false;
    }
  }

  /** Logs at most one failure in 30 seconds. */
  protected say(what: string, error: unknown): void {
    if (this.signal.aborted || performance.now() - this.saidAt < QUIET_MS) return;
    this.saidAt = performance.now();
    this.logger.warn(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
