import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { operationsOf } from '#platform/openapi/operations';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import type { Organisation } from '#libs/panel-auth';
import { aCustomer, aKey, anAdminKey, anOrganisation, aSessionCookie } from '../../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n';
/** Headers that differ between any two responses. */
const OF_THE_ANSWER = new Set(['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset']);
const MALFORMED = ['x', '%00', '7', '00000000-0000-0000-0000-000000000000', "';--", '{id}'];

interface Route {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: (id: string) => string;
}

interface Told {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** A customer that knows all ids of other tenants can neither read nor change anything, nor learn what exists. */
describe('the portal and the ids of other tenants', () => {
  let api: RunningPanelApi;
  let sql: pg.Client;
  let routes: Route[];
  let ownService: string;
  /** Of those who have no part in it: the victim, the organisations around it, the one above the attacker, nobody. */
  const foreign: { readonly service: string; readonly deployment: string }[] = [];
  const credentials: Record<string, Record<string, string>> = {};

  beforeAll(async () => {
    api = await startPanelApi({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock', LOG_LEVEL: 'error' } });
    sql = new pg.Client({ connectionString: api.database.url });
    await sql.connect();
    routes = operationsOf(api.app.get(OpenApiSource).document())
      .filter(({ path }) => path.startsWith('/api/v1/portal/') && path.includes('{id}'))
      .map(({ method, path }) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase() as Route['method'],
        url: (id) => path.replace(/\{\w+\}/g, id),
      }));
    const family = async () => {
      const parent = await anOrganisation(api.app);
      const middle = await anOrganisation(api.app, parent.id);
      return { parent, middle, child: await anOrganisation(api.app, middle.id) };
    };
    const [attacker, victim] = [await family(), await family()];
    const beside = await anOrganisation(api.app, attacker.parent.id);
    const user = (await aCustomer(api.app, { organisation: attacker.middle })).user;
    credentials['key'] = { authorization: `Bearer ${await aKey(api.app, user)}` };
    credentials['session'] = { cookie: await aSessionCookie(api.app, user), 'sec-fetch-site': 'same-origin' };
    for (const customer of [victim.parent, victim.middle, victim.child, attacker.parent, beside, null])
      foreign.push(await aService(customer));
    ownService = (await aService(attacker.middle)).service;
  });
  afterAll(async () => {
    await sql?.end();
    await api?.close();
  });

  const aService = async (customer: Organisation | null) => {
    const admin = api.as(await anAdminKey(api.app));
    const request = { name: 'secret name', composeYaml: COMPOSE, customerId: customer?.id ?? null };
    const { body } = await admin.post('/api/v1/services', request);
    return { service: body.serviceId as string, deployment: body.deploymentId as string };
  };

  const ask = async (route: Route, id: string, headers = credentials['key']!, payload?: object): Promise<Told> => {
    const [, ending = ''] = /\/(\w+)$/.exec(route.name) ?? [];
    const bodies: Record<string, object> = {
      rollback: { deploymentId: foreign[0]!.deployment },
      domains: { host: 'shop.example' },
      restore: { backupId: foreign[0]!.deployment, into: 'new' },
      clone: { name: 'copy' },
      ...(route.name.includes('/templates/') && { deploy: { name: 'shop' } }),
    };
    const policy = { schedule: null, keepDaily: 1, keepWeekly: 1, keepMonthly: 1, verify: 'always', pitr: false };
    const ofMethod = { GET: undefined, DELETE: undefined, PUT: policy, PATCH: { isPrimary: true } };
    const byMethod = { ...ofMethod, POST: bodies[ending] };
    const sent = payload ?? byMethod[route.method];
    const answer = await api.app.inject({ method: route.method, url: route.url(id), headers, payload: sent });
    const kept = Object.entries(answer.headers).filter(([name]) => !OF_THE_ANSWER.has(name));
    const body = answer.body.replace(String(answer.headers['x-request-id']), 'REQUEST');
    return { status: answer.statusCode, headers: Object.fromEntries(kept), body };
  };

  const records = async () =>
    (
      await sql.query(`select (select json_agg(s order by s.id) from services.services s) as services,
        (select json_agg(d order by d.id) from services.deployments d) as deployments`)
    ).rows;

  it('covers every route with an id', () => {
    expect(routes.map(({ name }) => name).sort()).toEqual(
      expect.arrayContaining([
        'DELETE /api/v1/portal/services/{id}',
        'GET /api/v1/portal/services/{id}',
        'GET /api/v1/portal/services/{id}/deployments',
        'POST /api/v1/portal/deployments/{id}/cancel',
        'POST /api/v1/portal/services/{id}/rollback',
      ]),
    );
    expect(routes.length).toBeGreaterThanOrEqual(10);
  });

  it('give the same response for a foreign, a missing and a malformed id, and change nothing', async () => {
    const before = await records();
    const wrong: string[] = [];
    for (const route of routes) {
      const ofDeployment = route.name.includes('/deployments/{id}');
      const foreignIds = foreign.map((one) => (ofDeployment ? one.deployment : one.service));
      const mixedUp = foreign.map((one) => (ofDeployment ? one.service : one.deployment));
      for (const [kind, headers] of Object.entries(credentials)) {
        const expected = await ask(route, randomUUID(), headers);
        expect([route.name, expected.status]).toEqual([route.name, 404]);
        for (const id of [...foreignIds, ...mixedUp, ...MALFORMED.map(encodeURI)]) {
          const told = await ask(route, id, headers);
          if (JSON.stringify(told) !== JSON.stringify(expected))
            wrong.push(`${kind} ${route.name} of ${id}: ${JSON.stringify(told)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(await records()).toEqual(before);
  });

  it('cannot be used with an own service: a rollback to a foreign deployment is not found', async () => {
    const rollback = routes.find(({ name }) => name.endsWith('/rollback'))!;
    const expected = await ask(rollback, ownService, undefined, { deploymentId: randomUUID() });
    expect(expected.status).toBe(404);
    for (const { deployment } of foreign)
      expect(await ask(rollback, ownService, undefined, { deploymentId: deployment })).toEqual(expected);
  });

  it('are in no list, with any filter', async () => {
    for (const headers of Object.values(credentials))
      for (const query of [
        '',
        '?pageSize=100',
        '?search=secret',
        '?search=T%20N',
        '?status=pending',
        '?customerId=x',
      ]) {
        const answer = await api.app.inject({ method: 'GET', url: `/api/v1/portal/services${query}`, headers });
        const { data, pagination } = answer.json();
        expect(data.map(({ id }: { id: string }) => id)).toEqual([ownService]);
        expect(pagination.total).toBe(1);
      }
  });

  it('are in no metrics summary, with any parameters', async () => {
    const ids = [...foreign.map(({ service }) => service), ownService].join();
    for (const headers of Object.values(credentials))
      for (const query of ['', `?ids=${ids}`]) {
        const answer = await api.app.inject({ url: `/api/v1/portal/services/metrics/summary${query}`, headers });
        expect(Object.keys(answer.json().summaries)).toEqual([ownService]);
      }
    const foreignOnly = `/api/v1/portal/services/metrics/summary?ids=${foreign[0]!.service}`;
    const answer = await api.app.inject({ url: foreignOnly, headers: credentials['key'] });
    expect([answer.statusCode, answer.json()]).toEqual([200, { summaries: {} }]);
  });

  it('cause the same SQL statements as a missing one', async () => {
    const query = jest.spyOn(pg.Client.prototype, 'query');
    const statements = async (route: Route, id: string) => {
      query.mockClear();
      await ask(route, id);
      // Background work uses other tables.
      return query.mock.calls
        .map(([first]: unknown[]) => (typeof first === 'string' ? first : (first as { text: string }).text))
        .filter((text) => /\bservices\.(services|deployments|specs)\b|organisation_subtrees/.test(text));
    };
    try {
      for (const route of routes) {
        const ofDeployment = route.name.includes('/deployments/{id}');
        const { service, deployment } = foreign[0]!;
        const expected = await statements(route, randomUUID());
        expect(expected.length).toBeGreaterThan(0);
        for (const id of [ofDeployment ? deployment : service, 'x'])
          expect([route.name, await statements(route, id)]).toEqual([route.name, expected]);
      }
    } finally {
      query.mockRestore();
    }
  });

  it('take about the same time as a missing one', async () => {
    const { service } = foreign[0]!;
    const timed = [
      ['GET /api/v1/portal/services/{id}', service],
      ['POST /api/v1/portal/services/{id}/redeploy', service],
    ] as const;
    for (const [name, id] of timed) {
      const route = routes.find((one) => one.name === name)!;
      const times: Record<'foreign' | 'missing' | 'malformed', number[]> = { foreign: [], missing: [], malformed: [] };
      // Alternating, so that other load on the machine affects all three.
      for (let round = 0; round < 100; round += 1)
        for (const [kind, asked] of [
          ['foreign', id],
          ['missing', randomUUID()],
          ['malformed', 'x'],
        ] as const) {
          const begun = performance.now();
          await ask(route, asked);
          times[kind].push(performance.now() - begun);
        }
      const missing = median(times.missing);
      for (const kind of ['foreign', 'malformed'] as const) {
        const ratio = median(times[kind]) / missing;
        expect([name, kind, ratio > 0.5 && ratio < 2, ratio]).toEqual([name, kind, true, ratio]);
      }
    }
  });
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
