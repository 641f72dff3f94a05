import type { Uuid } from '#kernel/crypto/uuid';
import type { ContainerLogs } from '../ports/engine/container-logs.js';
import type { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { ContainerEvent } from '../ports/engine/container-state.js';
import { ServiceLog, type LogListener, type LogStart } from './service-log.js';

const LINGER_MS = 2_000;
const LOOK_EVERY_MS = 10_000;
const RETRY_MS = 1_000;
/** Matches no container id, so only containers that are running now are read again. */
const RUNNING_ONES = '';

export interface FollowedLog extends LogStart {
  end(): void;
}

/**
 * The logs that have subscribers in this process. Each container has one stream from the engine, however many
 * subscribers it has. The stream ends soon after the last one has left.
 */
export class LogHub {
  readonly #logs = new Map<Uuid, ServiceLog>();
  #watch: AbortController | null = null;

  constructor(
    private readonly containerLogs: ContainerLogs,
    private readonly runtime: ContainerRuntime,
  ) {}

  /** How many services are followed. */
  get size(): number {
    return this.#logs.size;
  }

  /**
   * @param from `since` is the number of the last line that the listener knows. If it is null, `tail` says how many
   *   existing lines to send.
   * @throws EngineUnavailable
   */
  async follow(
    serviceId: Uuid,
    from: { readonly since: number | null; readonly tail: number },
    listener: LogListener,
  ): Promise<FollowedLog> {
    this.watch();
    let log = this.#logs.get(serviceId);
    if (!log) {
      log = new ServiceLog(serviceId, this.containerLogs, this.runtime);
      this.#logs.set(serviceId, log);
    }
    const followed = log;
    try {
      await followed.begin();
    } catch (error) {
      if (followed.isIdle) this.drop(followed);
      throw error;
    }
    const start = followed.listen(listener, from);
    return { ...start, end: () => this.leave(followed, listener) };
  }

  /** Ends everything at once. */
  stop(): void {
    for (const log of this.#logs.values()) this.drop(log);
  }

  private leave(log: ServiceLog, listener: LogListener): void {
    log.leave(listener);
    // Keep it for a moment, for clients that reconnect.
    if (log.isIdle) setTimeout(() => log.isIdle && this.drop(log), LINGER_MS).unref();
  }

  private drop(log: ServiceLog): void {
    log.stop();
    if (this.#logs.get(log.serviceId) === log) this.#logs.delete(log.serviceId);
    if (this.#logs.size > 0) return;
    this.#watch?.abort();
    this.#watch = null;
  }

  private watch(): void {
    if (this.#watch) return;
    const watch = new AbortController();
    this.#watch = watch;
    void this.heed(watch.signal);
    // Events can arrive before the container is listed, or be lost when the engine restarts.
    const timer = setInterval(() => this.refreshAll(RUNNING_ONES), LOOK_EVERY_MS).unref();
    watch.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  private async heed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const event of this.runtime.events(null, signal)) {
          if (event.kind === 'resumed') this.refreshAll(null);
          else if (event.change === 'started' || event.change === 'removed') this.heedOne(event);
        }
      } catch {
        // Retried below. The regular check finds what was missed.
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }

  private heedOne({ serviceId, containerId, change }: ContainerEvent): void {
    const log = this.#logs.get(serviceId as Uuid);
    if (log) this.refresh(log, change === 'started' ? containerId : RUNNING_ONES);
  }

  private refreshAll(started: string | null): void {
    for (const log of this.#logs.values()) this.refresh(log, started);
  }

  /** If the engine does not respond, the next check tries again. */
  private refresh(log: ServiceLog, started: string | null): void {
    void log.refresh(started).catch(() => undefined);
  }
}
