import { oneAtATime } from './one-at-a-time.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('oneAtATime', () => {
  it('runs work with one key in the order of the calls, even after a failure', async () => {
    const inTurn = oneAtATime();
    const seen: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        seen.push(`${name} begins`);
        await turn();
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const results = await Promise.allSettled([
      inTurn('a', work('first')),
      inTurn('a', work('second', true)),
      inTurn('a', work('third')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('runs work with different keys at the same time', async () => {
    const inTurn = oneAtATime();
    let release: () => void = () => undefined;
    const held = inTurn('a', () => new Promise<void>((resolve) => (release = resolve)));
    await expect(inTurn('b', () => Promise.resolve('done'))).resolves.toBe('done');
    release();
    await held;
  });
});
