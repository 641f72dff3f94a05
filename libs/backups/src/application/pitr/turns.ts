import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets each of many have its turn, some at once. Whoever takes longer than a round goes on by itself, and has no other
 * turn until it is over: the others do not wait for it.
 */
export class Turns<Key> {
  private readonly underWay = new Map<Key, Promise<void>>();

  constructor(
    private readonly atOnce: number,
    private readonly maxRoundMs: number,
  ) {}

  /** One round. @param turn must not fail */
  async round(keys: readonly Key[], turn: (key: Key) => Promise<void>, signal: AbortSignal): Promise<void> {
    const waiting = [...keys];
    const lanes = Array.from({ length: this.atOnce - this.underWay.size }, () => this.lane(waiting, turn, signal));
    const enough = new AbortController();
    const time = sleep(this.maxRoundMs, undefined, { signal: AbortSignal.any([signal, enough.signal]) });
    await Promise.race([Promise.all(lanes), time.catch(() => undefined)]);
    enough.abort();
    // Nothing is left at work when the process ends.
    if (signal.aborted) await Promise.all(this.underWay.values());
  }

  private async lane(waiting: Key[], turn: (key: Key) => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let key = waiting.shift(); key !== undefined && !signal.aborted; key = waiting.shift()) {
      if (this.underWay.has(key)) continue;
      const own = key;
      const work = turn(own).finally(() => this.underWay.delete(own));
      this.underWay.set(own, work);
      await work;
    }
  }
}
