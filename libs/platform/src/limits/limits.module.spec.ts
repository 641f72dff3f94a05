import { InProcessGcraStorage } from './gcra-storage.js';
import { gcra } from './limits.module.js';

describe('a rate', () => {
  it.each([
    [{ perSecond: 10, burst: 30 }, 30],
    [{ perSecond: 1, burst: 1.5 }, 1],
    [{ perSecond: 0.5, burst: 0.5 }, 1],
  ])('%j allows its burst at once, and one more after its interval', async (rate, atOnce) => {
    let now = 0;
    const storage = new InProcessGcraStorage(() => now);
    const { ttl, limit } = gcra(rate);
    const passes = async () => !(await storage.increment('key', ttl, limit)).isBlocked;
    for (let i = 0; i < atOnce; i++) expect(await passes()).toBe(true);
    expect(await passes()).toBe(false);
    now += 1000 / rate.perSecond;
    expect(await passes()).toBe(true);
  });

  it('reports when the full burst is available again, even for a refused request', () => {
    let now = 0;
    const storage = new InProcessGcraStorage(() => now);
    const { ttl, limit } = gcra({ perSecond: 1, burst: 15 });
    const told = () => storage.take('key', ttl, limit);
    for (let used = 1; used <= 15; used++) expect(told().timeToExpire).toBe(used);
    expect(told()).toMatchObject({ isBlocked: true, timeToExpire: 15, timeToBlockExpire: 1 });
    now += 500;
    expect(told()).toMatchObject({ isBlocked: true, timeToExpire: 15, timeToBlockExpire: 1 });
    now += 400;
    expect(told()).toMatchObject({ isBlocked: true, timeToExpire: 15 });
    now += 100;
    expect(told()).toMatchObject({ isBlocked: false, timeToExpire: 15 });
  });
});
