/**
 * An unordered set of objects that come and go with every request. When V8 grows its own `Set` or `Map`, it leaves the
 * old table behind, which references the next one and its entries of that time. Once such a table is in the old
 * generation, everything in later tables, whole requests included, stays until the next full collection.
 */
export class SlotArray<T extends object> implements Iterable<T> {
  private readonly places: (T | null)[] = [];
  private readonly free: number[] = [];

  /** @returns its slot, to be freed with `leave` */
  take(one: T): number {
    const place = this.free.pop();
    if (place === undefined) return this.places.push(one) - 1;
    this.places[place] = one;
    return place;
  }

  /** Call it once for each taken slot. */
  leave(place: number): void {
    this.places[place] = null;
    this.free.push(place);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const one of this.places) if (one) yield one;
  }
}
