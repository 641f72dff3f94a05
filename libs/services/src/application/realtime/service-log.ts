import type { Uuid } from '#kernel/crypto/uuid';
import type { ContainerLogs, LogLine } from '../ports/engine/container-logs.js';
import type { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { OwnedContainer } from '../ports/engine/container-state.js';
import { ContainerFollower } from './container-follower.js';
import { inTheirOrder } from './in-their-order.js';
import { LogRing, type LogEntry } from './log-ring.js';

const HISTORY = { tail: 1_000, afterMicros: null } as const;

/** A range of line numbers, both ends inclusive, in which a follower may have missed lines. */
export interface LogGap {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly reason: 'too_old' | 'unknown_position' | 'several_containers';
}

export interface LogStart {
  readonly lines: readonly LogEntry[];
  readonly gap: LogGap | null;
  /** All lines sent have a higher number, so a client that disconnects here can resume from it. Null: not known yet. */
  readonly seq: number | null;
}

export type LogListener = (entry: LogEntry) => void;

/** The log of one service: merges the logs of its containers into one sequence of lines for any number of listeners. */
export class ServiceLog {
  readonly #ring = new LogRing();
  readonly #followers = new Map<string, { readonly follower: ContainerFollower; readonly name: string }>();
  readonly #listeners = new Set<LogListener>();
  readonly #end = new AbortController();
  /** The highest number of the lines that existed when following began. */
  #historyEnd = 0;
  #begun: Promise<void> | null = null;
  #coming = 0;

  constructor(
    readonly serviceId: Uuid,
    private readonly logs: ContainerLogs,
    private readonly runtime: ContainerRuntime,
  ) {}

  /** True if there are no listeners, and none is being added. */
  get isIdle(): boolean {
    return this.#listeners.size === 0 && this.#coming === 0;
  }

  /** Reads the existing lines and starts to follow. @throws EngineUnavailable */
  async begin(): Promise<void> {
    this.#coming += 1;
    try {
      await (this.#begun ??= this.readHistory());
    } catch (error) {
      this.#begun = null;
      throw error;
    } finally {
      this.#coming -= 1;
    }
  }

  /** Adds a listener and returns its first lines. No line is lost between these and the first call of the listener. */
  listen(listener: LogListener, from: { readonly since: number | null; readonly tail: number }): LogStart {
    this.#listeners.add(listener);
    if (from.since === null) {
      const lines = this.#ring.last(from.tail);
      return { lines, gap: null, seq: lines.length > 0 ? null : (this.#ring.newest?.seq ?? 0) };
    }
    const start = this.resume(from.since, from.tail);
    return { ...start, seq: start.gap === null ? from.since : null };
  }

  leave(listener: LogListener): void {
    this.#listeners.delete(listener);
  }

  /**
   * Updates the set of followed containers: adds new ones, wakes those that are running and retires removed ones.
   * @param started a container that was started and may have exited again; null if any container may have been
   */
  async refresh(started: string | null): Promise<void> {
    if (this.#end.signal.aborted) return;
    const { containers } = await this.runtime.listOwned(this.serviceId, this.#end.signal);
    if (this.#end.signal.aborted) return;
    for (const container of containers) {
      const { follower } = this.adopt(container);
      if (started === null || started === container.id || container.lifecycle === 'running') follower.wake();
    }
    const standing = new Set(containers.map(({ id }) => id));
    for (const [id, { follower }] of this.#followers) {
      if (standing.has(id)) continue;
      follower.retire();
      this.#followers.delete(id);
    }
  }

  stop(): void {
    this.#end.abort();
    for (const { follower } of this.#followers.values()) follower.stop();
  }

  private async readHistory(): Promise<void> {
    const { signal } = this.#end;
    const { containers } = await this.runtime.listOwned(this.serviceId, signal);
    const histories = await Promise.all(containers.map(({ id }) => this.logs.recent(id, HISTORY, signal)));
    if (histories.some((lines) => lines.length >= HISTORY.tail)) this.#ring.truncate();
    for (const container of containers) this.register(container);
    for (const line of inTheirOrder(histories, ({ atMicros }) => atMicros)) {
      const known = this.#followers.get(line.containerId)!;
      known.follower.note(line);
      this.#ring.push(this.entryOf(line, known.name));
    }
    this.#historyEnd = this.#ring.newest?.seq ?? 0;
    for (const { follower } of this.#followers.values()) void follower.run();
  }

  private adopt(container: OwnedContainer) {
    const known = this.#followers.get(container.id);
    if (known) return known;
    const added = this.register(container);
    void added.follower.run();
    return added;
  }

  private register({ id, owner }: OwnedContainer) {
    const name = owner.role;
    const follower = new ContainerFollower(this.logs, id, (line) => this.tell(this.entryOf(line, name)));
    const added = { follower, name };
    this.#followers.set(id, added);
    return added;
  }

  private tell(entry: LogEntry): void {
    this.#ring.push(entry);
    for (const listener of this.#listeners) listener(entry);
  }

  private entryOf({ containerId, stream, atMicros, text }: LogLine, container: string): LogEntry {
    const seq = Math.max((this.#ring.newest?.seq ?? 0) + 1, atMicros);
    return { seq, at: new Date(Math.floor(atMicros / 1000)), containerId, container, stream, text };
  }

  private resume(since: number, tail: number): Pick<LogStart, 'lines' | 'gap'> {
    const newest = this.#ring.newest?.seq ?? 0;
    if (since === 0 && this.#ring.isWhole) return { lines: this.#ring.last(Infinity), gap: null };
    const lines = this.#ring.behind(since);
    if (lines) {
      // Lines of several containers were sorted again, so their order may differ from the one sent before.
      const isSeam = since <= this.#historyEnd && this.#followers.size > 1;
      const gap = isSeam ? gapOf(since, lines, newest, 'several_containers') : null;
      return { lines, gap };
    }
    const all = this.#ring.last(Infinity);
    if (since > newest) {
      const last = this.#ring.last(tail);
      return { lines: last, gap: { fromSeq: since + 1, toSeq: since + 1, reason: 'unknown_position' } };
    }
    const behind = all.filter(({ seq }) => seq > since);
    const reason = this.#ring.isWhole || behind.length < all.length ? 'unknown_position' : 'too_old';
    return { lines: behind, gap: gapOf(since, behind, newest, reason) };
  }
}

function gapOf(since: number, lines: readonly LogEntry[], newest: number, reason: LogGap['reason']): LogGap {
  return { fromSeq: since + 1, toSeq: Math.max(since + 1, (lines[0]?.seq ?? newest + 1) - 1), reason };
}
