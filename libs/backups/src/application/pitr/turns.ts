import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs work for many keys in rounds, a limited number at once. Work that takes longer than a round continues in the
 * background, and its key is skipped until it has ended, so that the others do not wait for it.
 */
export class Turns<Key> {
  private readonly underWay = new Map<Key, Promise<void>>();

  constructor(
    private readonly atOnce: number,
    private readonly maxRoundMs: number,
  ) {}

  /** Runs one round, at most `maxRoundMs` long. @param turn must not reject */
  async round(keys: readonly Key[], turn: (key: Key) => Promise<void>, signal: AbortSignal): Promise<void> {
    const waiting = [...keys];
    const lanes = Array.from({ length: this.atOnce - this.underWay.size }, () => this.lane(waiting, turn, signal));
    const enough = new AbortController();
    const time = sleep(this.maxRoundMs, undefined, { signal: AbortSignal.any([signal, enough.signal]) });
    await Promise.race([Promise.all(lanes), time.catch(() => undefined)]);
    enough.abort();
    // When the process ends, wait for all work, so that none is cut off.
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
