import { FairTurns } from './fair-turns.js';

const LIMITS = { atOnce: 2, atOnceOfOne: 1, waitingOfOne: 3, longestWaitMs: 200 };

describe('turns', () => {
  const ended: string[] = [];
  let turns: FairTurns;

  beforeEach(() => {
    ended.length = 0;
    turns = new FairTurns(LIMITS, () => new Error('busy'));
  });

  const work = (tenant: string, name: string, ms = 10) =>
    turns.run(tenant, async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      ended.push(name);
    });

  it('are given at once to a tenant while another one has much queued', async () => {
    const many = [1, 2, 3, 4].map((n) => work('greedy', `greedy ${n}`, 20));
    await work('modest', 'modest', 5);
    expect(ended).toEqual(['modest']);
    await Promise.all(many);
    expect(ended).toEqual(['modest', 'greedy 1', 'greedy 2', 'greedy 3', 'greedy 4']);
  });

  it('are given round robin: the second task of one tenant comes after the first of the others', async () => {
    const wishes = [work('a', 'a1', 30), work('b', 'b1', 30)];
    wishes.push(work('a', 'a2'), work('a', 'a3'), work('c', 'c1'), work('d', 'd1'));
    await Promise.all(wishes);
    expect(ended.indexOf('d1')).toBeLessThan(ended.indexOf('a3'));
  });

  it('are refused only to a tenant with too many waiting tasks', async () => {
    const asked = [1, 2, 3, 4, 5].map((n) =>
      work('greedy', `${n}`).then(
        () => 'done',
        (error: Error) => error.message,
      ),
    );
    const other = work('modest', 'modest');
    expect(await Promise.all(asked)).toEqual(['done', 'done', 'done', 'done', 'busy']);
    await other;
  });

  it('are refused after too long a wait, which frees the place in the queue', async () => {
    const long = work('a', 'long', 300);
    await expect(work('a', 'waits')).rejects.toThrow('busy');
    await long;
    await work('a', 'after');
    expect(ended).toEqual(['long', 'after']);
  });

  it('are released if the work fails', async () => {
    await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await work('a', 'after');
    expect(ended).toEqual(['after']);
  });
});
