import { setImmediate as turn } from 'node:timers/promises';
import { atMost } from './at-most.js';

describe('work on many things', () => {
  it('is done on all of them, so many at a time', async () => {
    let [running, most] = [0, 0];
    const done: number[] = [];
    await atMost(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
      most = Math.max(most, (running += 1));
      await turn();
      running -= 1;
      done.push(item);
    });
    expect([done.sort(), most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3]);
  });

  it('begins nothing more after a failure, which it tells when the rest is over', async () => {
    const begun: number[] = [];
    const work = atMost(2, [1, 2, 3, 4, 5], async (item) => {
      begun.push(item);
      await turn();
      if (item === 2) throw new Error('the second');
    });
    await expect(work).rejects.toThrow('the second');
    expect(begun.length).toBeLessThan(5);
  });

  it('of nothing is done at once', async () => {
    await expect(atMost(8, [], () => Promise.reject(new Error('never')))).resolves.toBeUndefined();
  });
});
