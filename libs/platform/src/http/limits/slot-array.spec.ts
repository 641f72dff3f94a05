import { SlotArray } from './slot-array.js';

describe('SlotArray', () => {
  it('contains what has not left, and reuses free slots', () => {
    const open = new SlotArray<{ name: string }>();
    const places = ['a', 'b', 'c'].map((name) => open.take({ name }));
    open.leave(places[1]!);
    expect([...open].map(({ name }) => name)).toEqual(['a', 'c']);
    expect(open.take({ name: 'd' })).toBe(places[1]);
    open.leave(places[0]!);
    expect([...open].map(({ name }) => name)).toEqual(['d', 'c']);
  });

  it('allows leaving during iteration', () => {
    const open = new SlotArray<{ place: number }>();
    for (const one of Array.from({ length: 5 }, () => ({ place: -1 }))) one.place = open.take(one);
    const seen: number[] = [];
    for (const { place } of open) {
      seen.push(place);
      open.leave(place);
    }
    expect(seen).toEqual([0, 1, 2, 3, 4]);
    expect([...open]).toEqual([]);
  });
});
