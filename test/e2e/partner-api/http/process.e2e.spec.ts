import { execFile } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { cli } from '../../../support/processes/cli.js';
import { startPartnerProcess, TEST_SECRETS_KEYS } from '../../../support/processes/partner-process.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const MAIN = path.resolve(__dirname, '../../../../dist/apps/partner-api/src/main.js');

describe('the process of the partner API', () => {
  let database: TestDatabase;
  let token: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const partner = await cli(database.url, ['partners', 'create', '--name', 'P', '--type', 'reseller', '--json']);
    const { id } = JSON.parse(partner.stdout) as { id: string };
    const created = await cli(database.url, [
      'tokens',
      'create',
      '--partner',
      id,
      '--label',
      'x',
      '--scope',
      'write',
      '--json',
    ]);
    token = (JSON.parse(created.stdout) as { token: string }).token;
  });

  afterAll(() => database.drop());

  it('completes open requests when it is stopped, and accepts no new ones', async () => {
    const server = await startPartnerProcess(database.url);
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table tokens.api_tokens in access exclusive mode');
    const headers = { authorization: `Bearer ${token}` };
    const inFlight = fetch(`${server.url}/v1/me`, { headers });
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    await blocker.query('commit');
    await blocker.end();
    const answer = await inFlight;
    expect(answer.status).toBe(200);
    expect(await server.ended).toBe('SIGTERM');
  });

  it('has a type for every property in the OpenAPI document of the build', async () => {
    const server = await startPartnerProcess(database.url);
    try {
      const { components } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
        components: { schemas: Record<string, { properties?: Record<string, Record<string, unknown>> }> };
      };
      // The compiler uses the type object if it cannot infer another one.
      const unknown = Object.entries(components.schemas).flatMap(([schema, { properties = {} }]) =>
        Object.entries(properties)
          .filter(
            ([, { type, properties: own, additionalProperties }]) => type === 'object' && !own && !additionalProperties,
          )
          .map(([property]) => `${schema}.${property}`),
      );
      expect(unknown).toEqual([]);
      expect(Object.keys(components.schemas)).toContain('CreateContact');
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });

  it('exposes its metrics on a separate port', async () => {
    const server = await startPartnerProcess(database.url);
    try {
      await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
      const metrics = await (await fetch(server.metricsUrl)).text();
      expect(metrics).toMatch(/http_request_duration_seconds_count\{[^}]*route="\/v1\/me"[^}]*status="200"[^}]*\} 1/);
      expect(metrics).toContain('process_cpu_seconds_total');
      expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });

  it('logs one JSON line per request, with the request id and without tokens', async () => {
    const server = await startPartnerProcess(database.url, { LOG_LEVEL: 'trace', PC_AUTHFAIL_RPS: '1000000' });
    await fetch(`${server.url}/v1/me?access_token=${token}`, {
      headers: { authorization: `Bearer ${token}`, 'x-request-id': 'find-me-1', cookie: `a=${token}` },
    });
    const asked = (id: string, at: string, method = 'GET') =>
      fetch(`${server.url}${at}`, { method, headers: { 'x-request-id': id } });
    const refused = Array.from({ length: 100 }, (_, index) => `refused-${index}`);
    await Promise.all(refused.map((id) => asked(id, '/v1/me')));
    await asked('head-1', '/v1/me', 'HEAD');
    await asked('nowhere-1', '/nowhere?secret=1');
    server.child.kill('SIGTERM');
    await server.ended;
    const lines = server
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = lines.find((entry) => entry.requestId === 'find-me-1');
    expect(line).toMatchObject({ method: 'GET', path: '/v1/me', status: 200 });
    const told = (id: string) => lines.filter((entry) => entry.requestId === id && entry.msg === 'request');
    for (const id of refused) {
      expect(told(id)).toMatchObject([{ route: '/v1/me', status: 401, level: 'info', process: 'partner-api' }]);
      expect(told(id)[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(told('head-1')).toMatchObject([{ method: 'HEAD', route: '/v1/me', status: 401 }]);
    expect(told('nowhere-1')).toMatchObject([{ path: '/nowhere', route: 'unknown', status: 404 }]);
    expect(server.output()).not.toContain(token);
    expect(server.output()).not.toContain(token.slice(-20));
  });

  const refusedStart = (env: Record<string, string>) =>
    new Promise<{ code: number; stderr: string }>((resolve) =>
      execFile(process.execPath, [MAIN], { env: { PATH: process.env.PATH, ...env } }, (error, _stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stderr: stderr.trim() }),
      ),
    );

  it('refuses to start without required settings and names each of them', async () => {
    const none = await refusedStart({});
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('DATABASE_URL: is required')]);
    const several = await refusedStart({
      DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x',
      PC_RATE_RPS: '0',
      TRUSTED_PROXIES: 'everyone',
      PARTNER_API_PORT: '99999',
    });
    expect(several.code).toBe(1);
    for (const name of ['PC_RATE_RPS', 'TRUSTED_PROXIES', 'PARTNER_API_PORT']) expect(several.stderr).toContain(name);
    expect(several.stderr.split('\n')).toHaveLength(1);
    expect(several.stderr).not.toContain('hidden');
  });

  it('refuses a foreign listen address and an unreachable Redis, and names the setting', async () => {
    const settings = { DATABASE_URL: database.url, PARTNER_API_PORT: '0', SECRETS_KEYS: TEST_SECRETS_KEYS };
    const elsewhere = await refusedStart({ ...settings, LISTEN_HOST: '192.0.2.1' });
    expect(elsewhere).toEqual({ code: 1, stderr: 'LISTEN_HOST: 192.0.2.1 is not an address of this machine.' });
    const unknown = await refusedStart({ ...settings, LISTEN_HOST: 'nowhere.invalid' });
    expect(unknown).toEqual({ code: 1, stderr: 'LISTEN_HOST: nowhere.invalid is not an address of this machine.' });
    const silent = await refusedStart({ ...settings, REDIS_URL: 'redis://:hidden@127.0.0.1:1' });
    expect(silent.code).toBe(1);
    expect(silent.stderr).toMatch(
      /^Redis at REDIS_URL is not responding \(.+\)\. Check the address and that it is running\.$/,
    );
    expect(silent.stderr).not.toContain('hidden');
  });

  it('refuses a database that is not migrated', async () => {
    const empty = await createEmptyDatabase();
    const { code, stderr } = await refusedStart({
      DATABASE_URL: empty.url,
      PARTNER_API_PORT: '0',
      SECRETS_KEYS: TEST_SECRETS_KEYS,
    });
    await empty.drop();
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm run cli -- migrate')]);
  });
});
