import { AsyncResource } from 'node:async_hooks';
import type { OpenUnit } from './open-unit.js';

/** How many transactions are under way before others wait: one computes while another waits for its answers. */
const LANES = 2;
const MAX_TOGETHER = 32;
/** So many must wait at least before a transaction starts beside another: the more share one, the less each costs. */
const WORTH_A_LANE = 4;
/** What is left of the crowd that was seen before, each time a transaction starts. */
const REMEMBERED = 0.95;
/** Whatever takes longer waits for somebody: it keeps nobody else from starting. */
const PATIENCE_MS = 100;

/** A unit of work, to be run in the asynchronous context from which it came. */
export interface Work {
  readonly run: (unit: OpenUnit) => Promise<unknown>;
  readonly inContext: <T>(call: () => T) => T;
}

/** How units of work ended that shared a transaction, or null when nothing of that transaction was kept. */
export type Ends = readonly PromiseSettledResult<unknown>[] | null;

interface Waiting {
  readonly work: Work;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Units of work wait for a lane and share the next transaction, also when there is but one: over these connections it
 * waits for the database three times where a transaction of its own would a dozen times. When one of them fails, each
 * runs again, in a transaction of its own. At most `LANES` transactions are shared at a time: while they are held up,
 * units run alone as well.
 */
export class SharedLanes {
  private readonly waiting: Waiting[] = [];
  private running = 0;
  /** How many were here at the same time, lately. */
  private crowd = 0;
  private free = LANES;
  private shared = 0;
  private starting = false;

  /**
   * @param alone runs a unit in a transaction of its own
   * @param together runs units in one transaction; rejects when it is not known whether that was kept
   */
  constructor(
    private readonly alone: (work: Work) => Promise<unknown>,
    private readonly together: (works: readonly Work[]) => Promise<Ends>,
  ) {}

  run<T>(work: (unit: OpenUnit) => Promise<T>): Promise<T> {
    const origin = new AsyncResource('unit of work');
    const inContext: Work['inContext'] = (call) => origin.runInAsyncScope(call);
    return new Promise<unknown>((resolve, reject) => {
      this.waiting.push({ work: { run: work, inContext }, resolve, reject });
      this.crowd = Math.max(this.crowd, this.waiting.length + this.running);
      this.start();
    }) as Promise<T>;
  }

  /** In the next turn of the event loop: what arrives in this one starts together. */
  private start(): void {
    if (this.starting || !this.mayStart()) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      this.crowd *= REMEMBERED;
      while (this.mayStart()) this.takeLane(this.waiting.splice(0, this.worthALane()));
    });
  }

  private mayStart(): boolean {
    const waiting = this.waiting.length;
    return this.free === LANES ? waiting > 0 : this.free > 0 && waiting >= this.worthALane();
  }

  /** As many as each lane gets of the crowd. Fewer would leave the next transactions as small as their own. */
  private worthALane(): number {
    return Math.min(MAX_TOGETHER, Math.max(WORTH_A_LANE, Math.ceil(this.crowd / LANES)));
  }

  private takeLane(units: readonly Waiting[]): void {
    this.free -= 1;
    this.running += units.length;
    const leave = once(() => {
      this.free += 1;
      this.running -= units.length;
      this.start();
    });
    const impatience = setTimeout(leave, PATIENCE_MS);
    void (
      this.shared < LANES ? this.runTogether(units) : Promise.all(units.map((unit) => this.runAlone(unit)))
    ).finally(() => {
      clearTimeout(impatience);
      leave();
    });
  }

  private async runTogether(units: readonly Waiting[]): Promise<void> {
    this.shared += 1;
    let ends: Ends;
    try {
      ends = await this.together(units.map(({ work }) => work));
    } catch (error) {
      for (const { reject } of units) reject(error);
      return;
    } finally {
      this.shared -= 1;
    }
    for (const [index, unit] of units.entries()) {
      const end = ends?.[index];
      if (!end) void this.runAlone(unit);
      else if (end.status === 'fulfilled') unit.resolve(end.value);
      else unit.reject(end.reason);
    }
  }

  private runAlone({ work, resolve, reject }: Waiting): Promise<void> {
    return this.alone(work).then(resolve, reject);
  }
}

function once(call: () => void): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    call();
  };
}
