import { Redis } from 'ioredis';
import { pino } from 'pino';
import { RedisGcraStorage } from '#platform/limits/redis-gcra-storage';
import { aPartner, type PartnerWithTokens } from '../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import { describeWithRedis, RedisServer } from '../support/redis.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describeWithRedis('several instances over one Redis', () => {
  const redis = new RedisServer();
  let database: TestDatabase;
  let instances: RunningPartnerApi[];
  let partner: PartnerWithTokens;

  beforeAll(async () => {
    await redis.start();
    database = await createTestDatabase();
    const settings = { REDIS_URL: redis.url, PC_RATE_RPS: '10', PC_RATE_BURST: '30' };
    instances = [await startPartnerApi({ database, settings }), await startPartnerApi({ database, settings })];
    partner = await aPartner(instances[0]!.app);
  });

  afterAll(async () => {
    for (const instance of instances) await instance.close();
    await database.drop();
    await redis.remove();
  });

  const crowd = async (count: number) => {
    const begun = performance.now();
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => instances[index % 2]!.as(partner.writeToken).get('/v1/me')),
    );
    // Nobody is told anything else, however slow it is.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    return {
      accepted: answers.filter((answer) => answer.status === 200).length,
      seconds: (performance.now() - begun) / 1000,
    };
  };

  it('share the bucket of a token', async () => {
    const { accepted, seconds } = await crowd(90);
    expect(accepted).toBeGreaterThanOrEqual(30);
    expect(accepted).toBeLessThanOrEqual(31 + Math.ceil(seconds * 10));
  });

  it('are told by it when all of a limit is free again', async () => {
    const client = new Redis(redis.url);
    try {
      const storage = new RedisGcraStorage(client, pino({ level: 'silent' }));
      const told = async () => (await storage.increment('told', 150_000, 15)) as object;
      for (let used = 1; used <= 15; used++)
        expect(await told()).toMatchObject({ timeToExpire: used * 10, isBlocked: false });
      expect(await told()).toMatchObject({ isBlocked: true, timeToExpire: 150, timeToBlockExpire: 10 });
    } finally {
      client.disconnect();
    }
  });

  it('ask it for the readiness of the queue', async () => {
    expect((await instances[0]!.as(null).get('/readyz')).status).toBe(200);
  });

  it('go on without it, each counting alone, and say that the queue is away', async () => {
    // Somebody new: a busy process may have counted alone before, when Redis took longer than it waits.
    partner = await aPartner(instances[0]!.app);
    await redis.stop();
    const { accepted, seconds } = await crowd(90);
    expect(accepted).toBeGreaterThanOrEqual(60);
    expect(accepted).toBeLessThanOrEqual(62 + Math.ceil(seconds * 20));
    const ready = await instances[0]!.as(null).get('/readyz');
    expect([ready.status, ready.body.error.message]).toEqual([503, expect.stringContaining('queue')]);
    await redis.start();
    let status = 0;
    for (let tries = 0; tries < 100 && status !== 200; tries++) {
      status = (await instances[0]!.as(null).get('/readyz')).status;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(status).toBe(200);
  });
});
