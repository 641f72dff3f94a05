import { awaitBoth } from './await-both.js';

const later = <T>(settle: () => Promise<T>) => new Promise((resolve) => setTimeout(resolve, 5)).then(settle);
const failed = (reason: string) => Promise.reject(new Error(reason));

describe('both of two', () => {
  it('are waited for', async () => {
    await expect(
      awaitBoth(
        later(() => Promise.resolve(1)),
        Promise.resolve('a'),
      ),
    ).resolves.toEqual([1, 'a']);
  });

  it.each([
    ['the first alone', () => awaitBoth(failed('first'), Promise.resolve(1)), 'first'],
    ['the second alone', () => awaitBoth(Promise.resolve(1), failed('second')), 'second'],
    [
      'the first, later than the second',
      () =>
        awaitBoth(
          later(() => failed('first')),
          failed('second'),
        ),
      'first',
    ],
  ])('fail for the reason of the first that failed: %s', async (_, wait, reason) => {
    await expect(wait()).rejects.toThrow(reason);
  });
});
