import { setImmediate as turn } from 'node:timers/promises';
import { inOrder, sideBySide } from './in-order.js';

const NEEDS: Readonly<Record<string, readonly string[]>> = { db: [], cache: [], api: ['db', 'cache'], web: ['api'] };
const NAMES = Object.keys(NEEDS);
const needs = (name: string) => NEEDS[name] ?? [];

describe('work in the order of what waits for what', () => {
  it('runs side by side what waits for nothing, and the rest after what it waits for', async () => {
    const told: string[] = [];
    await inOrder(NAMES, needs, async (name) => {
      told.push(`${name} begins`);
      await turn();
      told.push(`${name} ends`);
    });
    expect(told.slice(0, 2)).toEqual(['db begins', 'cache begins']);
    expect(told.indexOf('api begins')).toBeGreaterThan(told.indexOf('cache ends'));
    expect(told.indexOf('web begins')).toBeGreaterThan(told.indexOf('api ends'));
  });

  it('begins nothing after a failure, and ends when all that had begun is over', async () => {
    const told: string[] = [];
    const outcome = inOrder(NAMES, needs, async (name, givenUp) => {
      told.push(name);
      if (name === 'db') throw new Error('no db');
      for (let i = 0; i < 3; i += 1) await turn();
      told.push(`${name} ends, given up: ${givenUp.aborted}`);
    });
    await expect(outcome).rejects.toThrow('no db');
    expect(told).toEqual(['db', 'cache', 'cache ends, given up: true']);
  });

  it('waits for no name that is not there', async () => {
    const told: string[] = [];
    await inOrder(['web'], needs, (name) => Promise.resolve(void told.push(name)));
    expect(told).toEqual(['web']);
  });

  it('tells of the first failure of several', async () => {
    const work = (ms: number) => turn().then(() => Promise.reject(new Error(`after ${ms}`)));
    await expect(sideBySide([1, 2], work)).rejects.toThrow('after 1');
    await expect(sideBySide([], work)).resolves.toBeUndefined();
  });
});
