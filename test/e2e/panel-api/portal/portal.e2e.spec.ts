import { randomUUID } from 'node:crypto';
import { operationsOf } from '#platform/openapi/operations';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import type { Organisation, User } from '#libs/panel-auth';
import {
  aCustomer,
  aKey,
  anAdminKey,
  anOrganisation,
  aPanelUser,
  aSessionCookie,
} from '../../../support/builders/a-panel-user.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n';
const WITH_PORTS = 'services:\n  web:\n    image: nginx:1.27\n    ports: ["8080:80"]\n';
const PORTAL = '/api/v1/portal';

describe('the portal', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;
  let user: User;
  let organisation: Organisation;
  let customer: HttpClient;
  let names = 0;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    admin = api.as(await anAdminKey(api.app));
    ({ user, organisation } = await aCustomer(api.app));
    customer = api.as(await aKey(api.app, user));
  });
  afterAll(() => api?.close());

  const created = async (answering: ReturnType<HttpClient['post']>) => {
    const answer = await answering;
    expect([answer.status, answer.text]).toEqual([202, answer.text]);
    return answer.body.serviceId as string;
  };
  const create = (given: object = {}, as = customer) =>
    created(as.post(`${PORTAL}/services`, { name: `p${++names}`, composeYaml: COMPOSE, ...given }));
  const assign = (customerId: string | null, given: object = {}) =>
    created(admin.post('/api/v1/services', { name: `a${++names}`, composeYaml: COMPOSE, customerId, ...given }));
  const listed = async (as: HttpClient, query = 'pageSize=100') =>
    (await as.get(`${PORTAL}/services?${query}`)).body.data.map(({ id }: { id: string }) => id) as string[];

  it('deploys a compose file for the own organisation and shows the same service as the panel', async () => {
    const id = await create({ name: 'shop', description: 'The shop', resourceLimits: { memoryMb: 256 } });
    const { status, body } = await customer.get(`${PORTAL}/services/${id}`);
    expect([status, body]).toEqual([200, (await admin.get(`/api/v1/services/${id}`)).body]);
    expect(body).toMatchObject({ name: 'shop', customerId: organisation.id, status: 'pending' });
    const history = await customer.get(`${PORTAL}/services/${id}/deployments?pageSize=5`);
    expect(history.body).toMatchObject({
      data: [{ serviceId: id, trigger: 'create', status: 'queued', actor: { userId: user.id } }],
      pagination: { page: 1, pageSize: 5 },
    });
    const list = await customer.get(`${PORTAL}/services?search=SHOP&status=pending&pageSize=0`);
    expect(list.body).toMatchObject({ data: [{ id }], pagination: { page: 1, pageSize: 20, total: 1 } });
    expect((await customer.get(`${PORTAL}/services?status=sleeping`)).status).toBe(422);
  });

  it('shows services of the organisation and those below, and of no others', async () => {
    const below = await anOrganisation(api.app, organisation.id);
    const beside = await anOrganisation(api.app);
    const family = await aCustomer(api.app, { organisation: below });
    const own = await create();
    const [given, deeper] = [await assign(organisation.id), await assign(below.id)];
    const [foreign, nobodys] = [await assign(beside.id), await assign(null)];
    const seen = await listed(customer);
    expect(seen).toEqual(expect.arrayContaining([own, given, deeper]));
    expect(seen.filter((id) => id === foreign || id === nobodys)).toEqual([]);
    expect(await listed(api.as(await aKey(api.app, family.user)))).toEqual([deeper]);
    expect((await customer.post(`${PORTAL}/services/${deeper}/redeploy`)).body.error.code).toBe(
      'deployment_in_progress',
    );
    const made = await create({}, api.as(await aKey(api.app, family.user)));
    expect((await customer.get(`${PORTAL}/services/${made}`)).body.customerId).toBe(below.id);
  });

  it('names every error of a new service', async () => {
    const answer = await customer.post(`${PORTAL}/services`, { name: '', composeYaml: '', variables: { A: 1 } });
    expect(answer.status).toBe(422);
    const paths = answer.body.error.details.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(['/composeYaml', '/name', '/variables/A']);
  });

  it('refuses a customerId in the body of every route, whatever its value', async () => {
    const changing = operationsOf(api.app.get(OpenApiSource).document()).filter(
      ({ method, path }) => path.startsWith(PORTAL) && method !== 'get',
    );
    expect(changing.length).toBeGreaterThan(8);
    const git = { git_repo_url: 'https://git.example/a.git' };
    const policy = { schedule: null, keepDaily: 1, keepWeekly: 1, keepMonthly: 1, verify: 'always', pitr: false };
    const ids = { deploymentId: randomUUID(), backupId: randomUUID(), publicKey: null };
    const request = { name: 'x', composeYaml: COMPOSE, repo_url: git.git_repo_url, ...ids, ...git, ...policy };
    for (const { method, path } of changing)
      for (const customerId of [null, '', 7, randomUUID(), organisation.id]) {
        const call = [method.toUpperCase(), path.replace(/\{\w+\}/, randomUUID())] as const;
        const { status, body } = await customer.call(...call, {
          body: { ...request, ...(path.endsWith('/domains') && { host: 'shop.example' }), customerId },
        });
        expect([path, status, body.error.code, body.error.details]).toEqual([
          ...[path, 422, 'validation_failed'],
          [{ path: '/customerId', code: 'invalid_format', message: expect.stringContaining('is not allowed') }],
        ]);
      }
    const wrong = { name: '', composeYaml: 7, variables: { A: 1 }, customerId: organisation.id };
    const beside = await customer.post(`${PORTAL}/services`, wrong);
    expect(beside.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/composeYaml',
      '/customerId',
      '/name',
      '/variables/A',
    ]);
    const ignored = await customer.post(`${PORTAL}/services`, { ...request, colour: 1, customer: null });
    expect([ignored.status, await listed(customer, 'search=x')]).toEqual([202, [ignored.body.serviceId]]);
  });

  it('refuses host ports in every form and names every place', async () => {
    const merged = [
      'x-web: &web {image: "nginx:1.27", ports: ["8080:80"]}',
      'x-list: &list ["8081:80"]',
      'services:',
      '  merged: {<<: *web}',
      '  anchored: {image: "nginx:1.27", ports: *list}',
      '  empty: {image: "nginx:1.27", ports: []}',
      '  idle: {image: "nginx:1.27", profiles: [never], ports: [{target: 80, published: 8082}]}',
      '  fine: {image: "nginx:1.27", expose: [3000]}',
    ].join('\n');
    const paths = [
      '/services/merged/ports',
      '/services/anchored/ports',
      '/services/empty/ports',
      '/services/idle/ports',
    ];
    for (const [route, more] of [
      ['services', { name: 'ports' }],
      ['services/validate', {}],
    ] as const) {
      const { status, body } = await customer.post(`${PORTAL}/${route}`, { composeYaml: merged, ...more });
      expect([status, body.error.code]).toEqual([422, 'compose_forbidden']);
      expect(body.error.details.map(({ path, code }: Record<string, string>) => `${code} ${path}`).sort()).toEqual(
        paths.map((path) => `not_allowed ${path}`).sort(),
      );
    }
    expect(await listed(customer, 'search=ports')).toEqual([]);
    expect((await admin.post('/api/v1/services/validate', { composeYaml: WITH_PORTS })).status).toBe(200);
    const valid = await customer.post(`${PORTAL}/services/validate`, { composeYaml: COMPOSE });
    expect([valid.status, valid.body.plan.containers[0].name]).toEqual([200, 'web']);
  });

  it('shows a suspended service but refuses actions and deployments, and has no route to suspend', async () => {
    const id = await create();
    for (const action of ['suspend', 'unsuspend'])
      expect([action, (await customer.post(`${PORTAL}/services/${id}/${action}`)).status]).toEqual([action, 404]);
    await admin.post(`/api/v1/services/${id}/suspend`);
    expect((await customer.get(`${PORTAL}/services/${id}`)).body.status).toBe('stopping');
    for (const action of ['start', 'stop', 'restart', 'redeploy']) {
      const { status, body } = await customer.post(`${PORTAL}/services/${id}/${action}`);
      expect([action, status, body.error.code]).toEqual([action, 409, 'service_suspended']);
    }
    const [suspension] = (await customer.get(`${PORTAL}/services/${id}/deployments`)).body.data;
    expect(suspension.trigger).toBe('suspend');
    const cancelled = await customer.post(`${PORTAL}/deployments/${suspension.id}/cancel`);
    expect([cancelled.status, cancelled.body.error.code]).toEqual([409, 'invalid_state']);
    expect((await customer.delete(`${PORTAL}/services/${id}`)).body.status).toBe('removing');
  });

  it('accepts every other action and cancels deployments', async () => {
    const id = await create();
    const [deployment] = (await customer.get(`${PORTAL}/services/${id}/deployments`)).body.data;
    for (const action of ['start', 'stop', 'restart', 'redeploy', 'reconcile'])
      expect((await customer.post(`${PORTAL}/services/${id}/${action}`)).body.error.code).toBe(
        'deployment_in_progress',
      );
    const back = await customer.post(`${PORTAL}/services/${id}/rollback`, { deploymentId: deployment.id });
    expect([back.status, back.body.error.code]).toEqual([409, 'invalid_state']);
    const cancelled = await customer.post(`${PORTAL}/deployments/${deployment.id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([202, 'cancelled']);
    const again = await customer.post(`${PORTAL}/services/${id}/redeploy`);
    expect([again.status, again.body]).toEqual([
      202,
      {
        serviceId: id,
        deploymentId: expect.any(String),
        status: 'deploying',
        message: 'The redeployment of the service is scheduled.',
      },
    ]);
    const removed = await customer.delete(`${PORTAL}/services/${id}`);
    expect([removed.status, removed.body.status]).toEqual([202, 'removing']);
  });

  it("uses the organisation of the key's creator, whatever the key is bound to", async () => {
    const elsewhere = await anOrganisation(api.app);
    const foreign = await assign(elsewhere.id);
    const staff = await aCustomer(api.app);
    const wanderer = await aPanelUser(api.app, 'admin');
    const { Directory } = await import('#libs/panel-auth');
    await api.app.get(Directory).addMember(wanderer.id, staff.organisation.id, 'admin', null);
    const bound = api.as(await aKey(api.app, wanderer, {}, elsewhere.id));
    const own = await create({}, bound);
    expect((await admin.get(`/api/v1/services/${own}`)).body.customerId).toBe(staff.organisation.id);
    expect(await listed(bound)).toEqual([own]);
    expect((await bound.get(`${PORTAL}/services/${foreign}`)).status).toBe(404);
    expect((await bound.get(`/api/v1/services/${foreign}`)).status).toBe(200);
  });

  it('can be used by a signed-in customer, within its membership', async () => {
    const reader = await aCustomer(api.app, { organisation, permissions: ['services:read'] });
    const cookie = await aSessionCookie(api.app, reader.user);
    const browser = api.as(null);
    expect((await browser.get(`${PORTAL}/services`, { cookie })).status).toBe(200);
    const id = await create();
    const refused = await browser.post(`${PORTAL}/services/${id}/stop`, undefined, {
      cookie,
      'sec-fetch-site': 'same-origin',
    });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    const forged = await browser.post(`${PORTAL}/services/${id}/stop`, undefined, { cookie });
    expect([forged.status, forged.body.error.code]).toEqual([403, 'origin_rejected']);
  });

  it('is empty for an administrator without an organisation', async () => {
    for (const path of ['services', `services/${randomUUID()}`])
      expect([path, (await admin.get(`${PORTAL}/${path}`)).status]).toEqual([path, 404]);
    const request = { name: 'homeless', composeYaml: COMPOSE };
    expect((await admin.post(`${PORTAL}/services`, request)).status).toBe(404);
    expect((await admin.post(`${PORTAL}/services/validate`, request)).status).toBe(404);
    expect((await admin.get('/api/v1/services?search=homeless')).body.pagination.total).toBe(0);
    const longest = (face: string) => `/api/v1/services?search=${encodeURIComponent(face.repeat(200))}`;
    expect((await admin.get(longest('😀'))).status).toBe(200);
    expect((await admin.get(`${longest('😀')}a`)).status).toBe(422);
  });
});
