/** Merges sequences by a key. Items of one sequence keep their order, even if their keys decrease. */
export function* inTheirOrder<T>(sequences: readonly (readonly T[])[], keyOf: (item: T) => number): Generator<T> {
  const heads = sequences.map((items) => ({ items, at: 0 })).filter(({ items }) => items.length > 0);
  while (heads.length > 0) {
    let first = heads[0]!;
    for (const head of heads) if (keyOf(head.items[head.at]!) < keyOf(first.items[first.at]!)) first = head;
    yield first.items[first.at]!;
    first.at += 1;
    if (first.at === first.items.length) heads.splice(heads.indexOf(first), 1);
  }
}
