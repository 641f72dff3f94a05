import { InProcessGcraStorage } from './gcra-storage.js';
import { gcra } from './limits.module.js';

describe('a rate', () => {
  it.each([
    [{ perSecond: 10, burst: 30 }, 30],
    [{ perSecond: 1, burst: 1.5 }, 1],
    [{ perSecond: 0.5, burst: 0.5 }, 1],
  ])('%j lets as many through at once, and one more when it is earned', async (rate, atOnce) => {
    let now = 0;
    const storage = new InProcessGcraStorage(() => now);
    const { ttl, limit } = gcra(rate);
    const passes = async () => !(await storage.increment('key', ttl, limit)).isBlocked;
    for (let i = 0; i < atOnce; i++) expect(await passes()).toBe(true);
    expect(await passes()).toBe(false);
    now += 1000 / rate.perSecond;
    expect(await passes()).toBe(true);
  });
});
