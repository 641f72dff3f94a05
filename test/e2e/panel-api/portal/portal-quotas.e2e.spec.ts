import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Conflict } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Organisation } from '#libs/panel-auth';
import { OrganisationQuotas, resourceLimits, ServiceIntake, type QuotaLimits } from '#libs/services';
import { aCustomer, aKey, anAdminKey, anOrganisation, aPanelUser } from '../../../support/builders/a-panel-user.js';
import type { Answer, HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n';
const NOBODY = { userId: null, apiKeyId: null };
const FREE = { services: null, cpuCores: null, memoryMb: null, diskMb: null };

describe('quotas of organisations', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;
  let names = 0;

  beforeAll(async () => {
    const settings = { DOCKER_HOST: 'unix:///nowhere/docker.sock', LOG_LEVEL: 'error', QUOTA_DISK_MB: '1000000' };
    api = await startPanelApi({ settings });
    admin = api.as(await anAdminKey(api.app));
  });
  afterAll(() => api?.close());

  const tenant = async (parent: Organisation | null = null) => {
    const organisation = await anOrganisation(api.app, parent?.id);
    const { user } = await aCustomer(api.app, { organisation });
    return { organisation, as: api.as(await aKey(api.app, user)) };
  };
  const set = (id: Uuid, change: Partial<QuotaLimits>) => api.app.get(OrganisationQuotas).change(id, change, NOBODY);
  const create = (as: HttpClient, resourceLimits: object = {}) =>
    as.post('/api/v1/portal/services', { name: `q${++names}`, composeYaml: COMPOSE, resourceLimits });
  const assign = (customerId: Uuid, resourceLimits: object = {}) =>
    admin.post('/api/v1/services', { name: `q${++names}`, composeYaml: COMPOSE, customerId, resourceLimits });
  const usage = async (as: HttpClient) => {
    const answer = await as.get('/api/v1/portal/usage');
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const outcome = ({ status, body }: Answer) => (status === 202 ? '202' : `${status} ${body.error.code}`);
  const times = (answers: readonly Answer[]) => {
    const counts: Record<string, number> = {};
    for (const answer of answers) counts[outcome(answer)] = (counts[outcome(answer)] ?? 0) + 1;
    return counts;
  };

  it('are shown with the current use, and a refusal names the exceeded limit', async () => {
    const { organisation, as } = await tenant();
    expect(await usage(as)).toEqual({
      limits: { ...FREE, diskMb: 1_000_000 },
      used: { services: 0, cpuCores: 0, memoryMb: 0, diskMb: 0 },
    });
    await set(organisation.id, { services: 2, cpuCores: 0.3, memoryMb: 100 });
    expect((await create(as, { cpuCores: 0.1, memoryMb: 50, diskMb: 7 })).status).toBe(202);
    const refused = await create(as, { cpuCores: 0.25, memoryMb: 51 });
    expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
      409,
      'conflict',
      'The quota of the organisation does not allow this: cpuCores 0.35 of 0.3, memoryMb 101 of 100.',
    ]);
    expect(refused.body.error.details).toEqual([
      { path: '/resourceLimits/cpuCores', code: 'out_of_range', message: 'cpuCores 0.35 of 0.3' },
      { path: '/resourceLimits/memoryMb', code: 'out_of_range', message: 'memoryMb 101 of 100' },
    ]);
    expect((await create(as, { cpuCores: 0.2, memoryMb: 50, diskMb: 3 })).status).toBe(202);
    const third = await create(as, { cpuCores: 0.05, memoryMb: 16 });
    expect(third.body.error.details[0]).toEqual({ path: '', code: 'out_of_range', message: 'services 3 of 2' });
    expect(await usage(as)).toEqual({
      limits: { services: 2, cpuCores: 0.3, memoryMb: 100, diskMb: 1_000_000 },
      used: { services: 2, cpuCores: 0.3, memoryMb: 100, diskMb: 10 },
    });
  });

  it('also apply when an administrator assigns a service', async () => {
    const { organisation, as } = await tenant();
    await set(organisation.id, { services: 1 });
    expect((await assign(organisation.id)).status).toBe(202);
    expect(outcome(await assign(organisation.id))).toBe('409 conflict');
    expect(outcome(await create(as))).toBe('409 conflict');
    await set(organisation.id, { services: 2 });
    expect((await assign(organisation.id)).status).toBe(202);
  });

  it('refuse a service without a trace: its name and its port are free again', async () => {
    const { organisation } = await tenant();
    await set(organisation.id, { services: 0 });
    const request = {
      name: 'kept',
      customerId: organisation.id,
      composeYaml: 'services:\n  web:\n    image: nginx:1.27\n    ports: ["28080:80"]\n',
    };
    expect(outcome(await admin.post('/api/v1/services', request))).toBe('409 conflict');
    await set(organisation.id, { services: null });
    expect((await admin.post('/api/v1/services', request)).status).toBe(202);
    const again = await admin.post('/api/v1/services', request);
    expect([again.status, again.body.error.code]).toEqual([409, 'service_name_taken']);
  });

  it('report a taken name before the quota when a request is repeated', async () => {
    const { organisation, as } = await tenant();
    await set(organisation.id, { services: 1 });
    const request = { name: 'once', composeYaml: COMPOSE };
    expect((await as.post('/api/v1/portal/services', request)).status).toBe(202);
    expect(outcome(await as.post('/api/v1/portal/services', request))).toBe('409 service_name_taken');
  });

  it('count stopped and suspended services, and those being removed until they are gone', async () => {
    const { organisation, as } = await tenant();
    await set(organisation.id, { services: 1 });
    const { serviceId } = (await create(as)).body;
    await admin.post(`/api/v1/services/${serviceId}/suspend`);
    expect(outcome(await create(as))).toBe('409 conflict');
    expect((await as.delete(`/api/v1/portal/services/${serviceId}`)).status).toBe(202);
    expect(outcome(await create(as))).toBe('409 conflict');
    expect((await usage(as)).used.services).toBe(1);
  });

  it('include organisations below, which learn nothing about other tenants', async () => {
    const parent = await tenant();
    const [one, other] = [await tenant(parent.organisation), await tenant(parent.organisation)];
    await set(parent.organisation.id, { services: 3, memoryMb: 4096 });
    await set(one.organisation.id, { services: 2 });
    for (const as of [one.as, one.as, other.as]) expect((await create(as)).status).toBe(202);
    const own = await create(one.as);
    expect(own.body.error.message).toBe('The quota of the organisation does not allow this: services 3 of 2.');
    const above = await create(other.as);
    expect([above.status, above.body.error.message]).toEqual([
      409,
      'The quota of an organisation above does not allow this: not enough services left.',
    ]);
    expect(outcome(await create(parent.as))).toBe('409 conflict');
    expect(await usage(one.as)).toMatchObject({ limits: { services: 2, memoryMb: 4096 }, used: { services: 2 } });
    expect(await usage(other.as)).toMatchObject({ limits: { services: 3, memoryMb: 4096 }, used: { services: 1 } });
    expect(await usage(parent.as)).toMatchObject({ limits: { services: 3, memoryMb: 4096 }, used: { services: 3 } });
  });

  it('of a top-level organisation come from the settings until they are set', async () => {
    const parent = await tenant();
    const child = await tenant(parent.organisation);
    expect((await usage(child.as)).limits).toEqual({ ...FREE, diskMb: 1_000_000 });
    expect(outcome(await create(child.as, { diskMb: 1_000_001 }))).toBe('409 conflict');
    await set(child.organisation.id, { services: 5 });
    expect((await usage(child.as)).limits).toEqual({ ...FREE, services: 5, diskMb: 1_000_000 });
    await set(parent.organisation.id, { services: 4 });
    expect((await usage(child.as)).limits).toEqual({ ...FREE, services: 4, diskMb: 1_000_000 });
    await set(parent.organisation.id, { diskMb: null });
    expect((await usage(child.as)).limits).toEqual({ ...FREE, services: 4 });
    expect((await create(child.as, { diskMb: 1_000_001 })).status).toBe(202);
  });

  it('accept exactly what a plain sum over the tree accepts, whatever the order of limits and services', async () => {
    const quotas = api.app.get(OrganisationQuotas);
    const intake = api.app.get(ServiceIntake);
    const where = fc.nat({ max: 4 });
    const tenths = fc.option(fc.integer({ min: 0, max: 30 }));
    const step = fc.oneof(fc.record({ at: where, services: fc.option(fc.nat({ max: 4 })), tenths }), {
      weight: 3,
      arbitrary: fc.record({ at: where, cores: fc.integer({ min: 1, max: 12 }) }),
    });
    const story = fc.record({ parents: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), steps: fc.array(step) });
    await fc.assert(
      fc.asyncProperty(story, async ({ parents, steps }) => {
        const ids = [(await anOrganisation(api.app)).id];
        const above: number[][] = [[0]];
        for (const [index, choice] of parents.entries()) {
          const parent = choice % ids.length;
          ids.push((await anOrganisation(api.app, ids[parent])).id);
          above.push([...above[parent]!, index + 1]);
        }
        const limits = ids.map(() => ({ services: null as number | null, tenths: null as number | null }));
        const accepted: { at: number; cores: number }[] = [];
        for (const one of steps) {
          if (!('cores' in one)) {
            const cpuCores = one.tenths === null ? null : one.tenths / 10;
            limits[one.at] = { services: one.services, tenths: one.tenths };
            await quotas.change(ids[one.at]!, { services: one.services, cpuCores, diskMb: null }, NOBODY);
            continue;
          }
          const fits = above[one.at]!.every((id) => {
            const below = [...accepted, one].filter(({ at }) => above[at]!.includes(id));
            const cores = below.reduce((sum, each) => sum + each.cores, 0);
            return below.length <= (limits[id]!.services ?? 1e9) && cores <= (limits[id]!.tenths ?? 1e9);
          });
          const request = {
            name: `m${++names}`,
            description: null,
            customerId: ids[one.at]!,
            portsAllowed: false,
            composeYaml: COMPOSE,
            variables: new Map(),
            resourceLimits: resourceLimits({ cpuCores: one.cores / 10 }),
          };
          const answer = await intake.fromCompose(request, NOBODY).then(
            () => true,
            (error: unknown) => (error instanceof Conflict ? false : Promise.reject(error as Error)),
          );
          expect([one, answer]).toEqual([one, fits]);
          if (fits) accepted.push(one);
        }
        const standing = await quotas.standing(ids[0]!);
        expect(standing.used).toMatchObject({
          services: accepted.length,
          cpuCores: accepted.reduce((sum, { cores }) => sum + cores, 0) / 10,
        });
      }),
      { numRuns: 12 },
    );
  });

  it('are set by administrators over HTTP, for the organisations that each can see', async () => {
    const { organisation, as } = await tenant();
    const child = await tenant(organisation);
    const path = (id: string) => `/api/v1/organisations/${id}/quota`;
    const own = { services: 2, cpuCores: 1.5, memoryMb: null, diskMb: 0 };
    const answer = await admin.call('PUT', path(organisation.id), { body: own });
    const used = { services: 0, cpuCores: 0, memoryMb: 0, diskMb: 0 };
    expect([answer.status, answer.body]).toEqual([200, { organisationId: organisation.id, own, limits: own, used }]);
    expect((await admin.get(path(child.organisation.id))).body).toEqual({
      organisationId: child.organisation.id,
      own: FREE,
      limits: own,
      used,
    });
    expect((await usage(as)).limits).toEqual(own);
    for (const [change, field, told] of [
      [{ services: -1 }, '/services', 'must not be less than 0'],
      [{ services: 1.5 }, '/services', 'must be a whole number or null'],
      [{ cpuCores: '1' }, '/cpuCores', 'must be a number or null'],
      [{ diskMb: undefined }, '/diskMb', 'must be a whole number or null'],
    ] as const) {
      const wrong = await admin.call('PUT', path(organisation.id), { body: { ...own, ...change } });
      expect([wrong.status, wrong.body.error.details]).toEqual([
        422,
        [{ path: field, code: expect.any(String), message: expect.stringContaining(told) }],
      ]);
    }
    const bound = api.as(await aKey(api.app, await aPanelUser(api.app, 'admin'), {}, organisation.id));
    expect((await bound.get(path(child.organisation.id))).status).toBe(200);
    const stranger = await anOrganisation(api.app);
    for (const id of [stranger.id, randomUUID(), 'x']) {
      expect((await bound.call('PUT', path(id), { body: own })).status).toBe(404);
      expect((await bound.get(path(id))).status).toBe(404);
    }
    expect((await admin.call('PUT', path(randomUUID()), { body: own })).status).toBe(404);
    expect((await as.call('PUT', path(organisation.id), { body: FREE })).status).toBe(404);
  });

  it('give the last place to one of sixteen concurrent requests, by number and by memory', async () => {
    const byNumber = await tenant();
    await set(byNumber.organisation.id, { services: 1 });
    expect(times(await Promise.all(Array.from({ length: 16 }, () => create(byNumber.as))))).toEqual({
      '202': 1,
      '409 conflict': 15,
    });
    const byMemory = await tenant();
    await set(byMemory.organisation.id, { memoryMb: 1000 });
    const answers = await Promise.all(Array.from({ length: 16 }, () => create(byMemory.as, { memoryMb: 300 })));
    expect(times(answers)).toEqual({ '202': 3, '409 conflict': 13 });
    expect((await usage(byMemory.as)).used).toMatchObject({ services: 3, memoryMb: 900 });
  });

  it('give the last place of a parent to one of two children without a deadlock', async () => {
    const parent = await tenant();
    const children = [await tenant(parent.organisation), await tenant(parent.organisation)];
    const grandchild = await tenant(children[0]!.organisation);
    await set(parent.organisation.id, { services: 5, memoryMb: 100_000 });
    await set(children[0]!.organisation.id, { services: 4 });
    const asking = [children[0]!, children[1]!, grandchild, parent];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 6 === 5 ? assign(children[1]!.organisation.id) : create(asking[index % 4]!.as),
      ),
    );
    expect(times(answers)).toEqual({ '202': 5, '409 conflict': 19 });
    expect((await usage(parent.as)).used.services).toBe(5);
    expect((await usage(children[0]!.as)).used.services).toBeLessThanOrEqual(4);
  });
});
