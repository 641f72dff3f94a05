import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenUnit } from './open-unit.js';
import { SharedLanes, type Ends, type Work } from './shared-lanes.js';

/** What the lanes hand on and never look at. */
const NO_UNIT = {} as OpenUnit;

describe('SharedLanes', () => {
  /** How many units share each transaction that is under way, and the means to end it. */
  const open: { readonly size: number; readonly end: () => void }[] = [];
  let alone: number;

  const lanes = () =>
    new SharedLanes(
      async ({ run }) => {
        alone += 1;
        return run(NO_UNIT);
      },
      async (works: readonly Work[]): Promise<Ends> => {
        await new Promise<void>((end) => open.push({ size: works.length, end }));
        return Promise.allSettled(works.map(({ run }) => run(NO_UNIT)));
      },
    );
  const come = (to: SharedLanes, count: number) =>
    Array.from({ length: count }, (_, index) => to.run(() => Promise.resolve(index)));
  const settled = async () => {
    for (let turn = 0; turn < 4; turn++) await nextTurn();
  };
  const sizes = () => open.map(({ size }) => size);
  const endFirst = async () => {
    open.shift()?.end();
    await settled();
  };

  const crowdComesAndGoes = async (to: SharedLanes) => {
    const crowd = come(to, 32);
    await settled();
    await endFirst();
    await endFirst();
    await Promise.all(crowd);
  };

  beforeEach(() => {
    open.length = 0;
    alone = 0;
  });

  it('starts a transaction for one, too, and does not wait for more', async () => {
    const to = lanes();
    for (const name of ['one', 'two']) {
      const unit = to.run(() => Promise.resolve(name));
      await settled();
      expect(sizes()).toEqual([1]);
      await endFirst();
      expect(await unit).toBe(name);
    }
    expect(alone).toBe(0);
  });

  it('runs units alone while both lanes are held up', async () => {
    const to = lanes();
    const held = come(to, 8);
    await settled();
    expect(sizes()).toEqual([4, 4]);
    expect(await to.run(() => Promise.resolve('beside them'))).toBe('beside them');
    expect([alone, sizes()]).toEqual([1, [4, 4]]);
    await endFirst();
    await endFirst();
    await Promise.all(held);
  });

  it('shares a crowd out over both lanes', async () => {
    const to = lanes();
    const units = come(to, 32);
    await settled();
    expect(sizes()).toEqual([16, 16]);
    await endFirst();
    await endFirst();
    expect(await Promise.all(units)).toEqual(Array.from({ length: 32 }, (_, index) => index));
  });

  it('starts no small transaction beside another while there is a crowd, and lets the second lane fill', async () => {
    const to = lanes();
    const units = come(to, 24);
    await settled();
    units.push(...come(to, 8));
    await settled();
    await endFirst();
    // A crowd of 32: those eight are few beside the twelve that are under way.
    expect(sizes()).toEqual([12]);
    units.push(...come(to, 8));
    await settled();
    expect(sizes()).toEqual([12, 16]);
    await endFirst();
    await endFirst();
    await Promise.all(units);
    expect(alone).toBe(0);
  });

  it('starts a transaction for whoever is there when none is under way', async () => {
    const to = lanes();
    await crowdComesAndGoes(to);
    const units = come(to, 3);
    await settled();
    expect(sizes()).toEqual([3]);
    await endFirst();
    await Promise.all(units);
  });

  it('forgets a crowd that has gone', async () => {
    const to = lanes();
    await crowdComesAndGoes(to);
    for (let round = 0; round < 60; round++) {
      const unit = to.run(() => Promise.resolve());
      await settled();
      await endFirst();
      await unit;
    }
    const units = come(to, 8);
    await settled();
    expect(sizes()).toEqual([4, 4]);
    await endFirst();
    await endFirst();
    await Promise.all(units);
  });
});
