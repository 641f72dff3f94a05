import { PATIENCE } from '../../../../tools/lib/tests/patience.mjs';
import { aPartner } from '../../../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';
import { TcpGate } from '../../../support/http/tcp-gate.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

describe('an outage of the database', () => {
  let database: TestDatabase;
  let gate: TcpGate;
  let api: RunningPartnerApi;
  let token: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = new URL(database.url);
    gate = new TcpGate({ host: url.hostname, port: Number(url.port) });
    await gate.open();
    url.port = String(gate.port);
    api = await startPartnerApi({ database: { ...database, url: url.href } });
    token = (await aPartner(api.app)).writeToken;
  });

  afterAll(async () => {
    await api.close();
    await gate.cut();
    await database.drop();
  });

  it('causes 5xx errors of the usual shape and a failing /readyz, and the API recovers without a restart', async () => {
    expect((await api.as(null).get('/readyz')).status).toBe(200);
    const seen = new Set<number>();
    let running = true;
    const load = Array.from({ length: 8 }, async () => {
      while (running) seen.add((await api.as(token).get('/v1/me')).status);
    });
    await gate.cut();
    await new Promise((resolve) => setTimeout(resolve, 300));
    running = false;
    await Promise.all(load);
    expect([...seen].filter((status) => status !== 200 && status < 500)).toEqual([]);
    expect([...seen].some((status) => status >= 500)).toBe(true);

    const down = await api.as(token).get('/v1/tokens');
    expect(down.status).toBe(503);
    expect(down.body.error.code).toBe('internal-error');
    expect(down.text).not.toMatch(/ECONN|postgres|127\.0\.0\.1/);
    const notReady = await api.as(null).get('/readyz');
    expect(notReady.status).toBe(503);
    expect(notReady.body.error.message).toContain('database');
    expect((await api.as(null).get('/healthz')).status).toBe(200);

    await gate.open();
    const back = performance.now();
    let status = 0;
    while (status !== 200 && performance.now() - back < 10_000) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      status = (await api.as(token).get('/v1/me')).status;
    }
    expect(status).toBe(200);
    expect((await api.as(null).get('/readyz')).status).toBe(200);
  });

  it('causes 503 within 5 seconds and a failing /readyz if the database is frozen', async () => {
    gate.freeze();
    const began = performance.now();
    const [me, ready] = await Promise.all([api.as(token).get('/v1/me'), api.as(null).get('/readyz')]);
    expect(performance.now() - began).toBeLessThan(5_500 * PATIENCE);
    expect([me.status, me.headers.get('retry-after'), ready.status]).toEqual([503, '1', 503]);
    await gate.cut();
    await gate.open();
  });
});
