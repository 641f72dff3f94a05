import { randomUUID } from 'node:crypto';
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

describe('the routes of services', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;
  let names = 0;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    admin = api.as(await anAdminKey(api.app));
  });
  afterAll(() => api.close());

  const create = async (given: object = {}, as = admin) => {
    const answer = await as.post('/api/v1/services', { name: `s${++names}`, composeYaml: COMPOSE, ...given });
    expect([answer.status, answer.text]).toEqual([202, answer.text]);
    return answer.body.serviceId as string;
  };

  it('accept a compose file and show exactly the fields of the contract', async () => {
    const answer = await admin.post('/api/v1/services', {
      name: ' shop ',
      composeYaml: COMPOSE,
      description: 'The shop',
      resourceLimits: { cpuCores: 0.5, memoryMb: 256, diskMb: 1024 },
    });
    expect([answer.status, answer.body]).toEqual([
      202,
      { serviceId: expect.any(String), deploymentId: expect.any(String), status: 'pending' },
    ]);
    const { body } = await admin.get(`/api/v1/services/${answer.body.serviceId}`);
    expect(body).toEqual({
      id: answer.body.serviceId,
      name: 'shop',
      description: 'The shop',
      status: 'pending',
      deploymentType: 'compose',
      containerIds: [],
      networkId: null,
      portMappings: [],
      templateName: null,
      customerId: null,
      resourceLimits: { cpuCores: 0.5, memoryMb: 256, diskMb: 1024 },
      url: null,
      statusReason: null,
      startedAt: null,
      uptimeSeconds: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const history = await admin.get(`/api/v1/services/${body.id}/deployments`);
    expect(history.body.pagination).toEqual({ page: 1, pageSize: 20 });
    expect(history.body.data).toMatchObject([
      { id: answer.body.deploymentId, status: 'queued', trigger: 'create', errorMessage: null, steps: [] },
    ]);
  });

  it('require unique names within an owner, not between owners', async () => {
    const { id: customerId } = await anOrganisation(api.app);
    const name = `twin ${++names}`;
    await create({ name });
    await create({ name, customerId });
    const answer = await admin.post('/api/v1/services', { name, composeYaml: COMPOSE });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'service_name_taken']);
  });

  it('show the plan of a file without values and store nothing', async () => {
    const composeYaml = 'services:\n  web:\n    image: nginx\n    environment: {PASSWORD: hunter2}\n';
    const before = (await admin.get('/api/v1/services')).body.pagination.total;
    const { status, body, text } = await admin.post('/api/v1/services/validate', { composeYaml });
    expect([status, body.warnings[0].code]).toEqual([200, 'image_latest']);
    expect(body.plan.containers[0].environment).toEqual({ PASSWORD: '[redacted]' });
    expect(text).not.toContain('hunter2');
    expect((await admin.get('/api/v1/services')).body.pagination.total).toBe(before);
    expect((await admin.post('/api/v1/services/validate', { composeYaml: 'services: 7' })).status).toBe(422);
  });

  it('list services newest first, by page, status and part of the name', async () => {
    const ids = [];
    for (const part of ['a%b', 'a_b', 'A%B two']) ids.push(await create({ name: `list ${part}` }));
    const list = async (query: string) => (await admin.get(`/api/v1/services?${query}`)).body;
    const found = await list(`search=${encodeURIComponent('LIST A%')}`);
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[0]]);
    expect((await list('search=list&pageSize=2&page=2')).data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
    expect((await list('search=list&pageSize=2')).pagination).toEqual({
      page: 1,
      pageSize: 2,
      total: 3,
      totalPages: 2,
    });
    for (const wrong of ['0', '101', '-1', 'x', '1.5', '']) {
      expect((await list(`pageSize=${wrong}&page=${wrong === '101' ? 'x' : wrong}`)).pagination).toMatchObject({
        page: 1,
        pageSize: 20,
      });
    }
    expect((await list('search=list&status=pending')).pagination.total).toBe(3);
    expect((await list('search=list&status=running')).pagination.total).toBe(0);
    expect((await admin.get('/api/v1/services?status=sleeping')).status).toBe(422);
  });

  it('refuse actions that the state forbids with their own codes, and always accept a removal', async () => {
    const id = await create();
    for (const action of ['start', 'stop', 'restart', 'redeploy', 'reconcile']) {
      const { status, body } = await admin.post(`/api/v1/services/${id}/${action}`);
      expect([action, status, body.error.code]).toEqual([action, 409, 'deployment_in_progress']);
    }
    const nothing = await admin.post(`/api/v1/services/${id}/unsuspend`);
    expect([nothing.status, nothing.body]).toEqual([
      202,
      { serviceId: id, deploymentId: null, status: 'pending', message: 'There is nothing to do.' },
    ]);
    expect((await admin.post(`/api/v1/services/${id}/suspend`)).body).toMatchObject({ status: 'stopping' });
    expect((await admin.post(`/api/v1/services/${id}/start`)).body.error.code).toBe('service_suspended');
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await admin.delete(`/api/v1/services/${id}`);
      expect([status, body]).toEqual([202, { status: 'removing', message: expect.any(String) }]);
    }
    expect((await admin.get(`/api/v1/services/${id}`)).body.status).toBe('removing');
    expect((await admin.post(`/api/v1/services/${id}/start`)).body.error.code).toBe('invalid_state');
  });

  it('cancel a queued deployment and no finished one', async () => {
    const id = await create();
    const [deployment] = (await admin.get(`/api/v1/services/${id}/deployments`)).body.data;
    const cancelled = await admin.post(`/api/v1/deployments/${deployment.id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([202, 'cancelled']);
    expect((await admin.get(`/api/v1/services/${id}`)).body.status).toBe('error');
    const again = await admin.post(`/api/v1/deployments/${deployment.id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 'invalid_state']);
    expect((await admin.post(`/api/v1/deployments/${randomUUID()}/cancel`)).status).toBe(404);
  });

  it('answer 404 for unknown ids', async () => {
    for (const id of [randomUUID(), 'x', '%00']) {
      const of = (path: string) => `/api/v1/services/${id}${path}`;
      expect((await admin.get(of(''))).status).toBe(404);
      expect((await admin.get(of('/deployments'))).status).toBe(404);
      expect((await admin.delete(of(''))).status).toBe(404);
      for (const action of ['start', 'stop', 'restart', 'redeploy', 'suspend', 'unsuspend', 'reconcile'])
        expect([action, (await admin.post(of(`/${action}`))).status]).toEqual([action, 404]);
      expect((await admin.post(of('/rollback'), { deploymentId: randomUUID() })).status).toBe(404);
    }
  });

  it('are for administrators, and a bound key sees only the services of its organisations', async () => {
    const { user, organisation } = await aCustomer(api.app);
    const cookie = await aSessionCookie(api.app, user);
    expect((await api.as(null).get('/api/v1/services', { cookie })).status).toBe(403);
    expect((await api.as(await aKey(api.app, user)).get('/api/v1/services')).status).toBe(404);
    const [own, foreign, nobodys] = [
      await create({ customerId: organisation.id }),
      await create({ customerId: (await anOrganisation(api.app)).id }),
      await create(),
    ];
    const bound = api.as(await aKey(api.app, await aPanelUser(api.app, 'admin'), {}, organisation.id));
    expect((await bound.get('/api/v1/services')).body.data.map(({ id }: { id: string }) => id)).toEqual([own]);
    for (const id of [foreign, nobodys]) {
      expect((await bound.get(`/api/v1/services/${id}`)).status).toBe(404);
      expect((await bound.post(`/api/v1/services/${id}/suspend`)).status).toBe(404);
      expect((await bound.delete(`/api/v1/services/${id}`)).status).toBe(404);
    }
    const made = await create({}, bound);
    expect((await admin.get(`/api/v1/services/${made}`)).body.customerId).toBe(organisation.id);
    const elsewhere = await bound.post('/api/v1/services', {
      name: 'x',
      composeYaml: COMPOSE,
      customerId: randomUUID(),
    });
    expect(elsewhere.status).toBe(404);
  });
});
