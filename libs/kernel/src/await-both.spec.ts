import { awaitBoth } from './await-both.js';

const later = <T>(settle: () => Promise<T>) => new Promise((resolve) => setTimeout(resolve, 5)).then(settle);
const failed = (reason: string) => Promise.reject(new Error(reason));

describe('awaitBoth', () => {
  it('waits for both promises', async () => {
    await expect(
      awaitBoth(
        later(() => Promise.resolve(1)),
        Promise.resolve('a'),
      ),
    ).resolves.toEqual([1, 'a']);
  });

  it.each([
    ['only the first', () => awaitBoth(failed('first'), Promise.resolve(1)), 'first'],
    ['only the second', () => awaitBoth(Promise.resolve(1), failed('second')), 'second'],
    [
      'the first, later than the second',
      () =>
        awaitBoth(
          later(() => failed('first')),
          failed('second'),
        ),
      'first',
    ],
  ])('rejects with the error of the first failed promise: %s', async (_, wait, reason) => {
    await expect(wait()).rejects.toThrow(reason);
  });
});
