/**
 * A set of what comes and goes with every request, in no order. V8's own `Set` and `Map` leave a dead table behind each
 * time they make room, which knows the next one and what it held then: once one of them has grown old, all that ever
 * stood in a later one is kept until the next full collection, whole requests among it.
 */
export class SlotArray<T extends object> implements Iterable<T> {
  private readonly places: (T | null)[] = [];
  private readonly free: number[] = [];

  /** @returns where it stands until it leaves */
  take(one: T): number {
    const place = this.free.pop();
    if (place === undefined) return this.places.push(one) - 1;
    this.places[place] = one;
    return place;
  }

  /** To be called once for each place that was taken. */
  leave(place: number): void {
    this.places[place] = null;
    this.free.push(place);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const one of this.places) if (one) yield one;
  }
}
