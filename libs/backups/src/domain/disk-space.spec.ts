import { isNearlyFull } from './disk-space.js';

const MB = 2 ** 20;

describe('a disk that is nearly full', () => {
  it.each([
    ['small', 300, 32],
    ['of middle size', 6_400, 200],
    ['large', 1_000_000, 512],
  ])('when it is %s, with %i MB, has less than %i MB left', (_, totalMb, reserveMb) => {
    const of = (freeMb: number) => isNearlyFull({ totalBytes: totalMb * MB, freeBytes: freeMb * MB });
    expect([of(reserveMb - 1), of(reserveMb)]).toEqual([true, false]);
  });
});
