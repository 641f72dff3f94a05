import { randomUUID } from 'node:crypto';
import {
  aCustomer,
  aKey,
  anAdminKey,
  anOrganisation,
  aPanelUser,
  aSessionCookie,
} from '../../../support/builders/a-panel-user.js';
import type { Answer, HttpClient } from '../../../support/http/http-client.js';
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

  it('accept a compose file and show what the contract names, no more', async () => {
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

  it('name everything that is wrong with a compose file at once', async () => {
    const composeYaml = 'services:\n  web:\n    image: nginx\n    privileged: true\n    network_mode: host\n';
    const { status, body } = await admin.post('/api/v1/services', { name: 'bad', composeYaml });
    expect([status, body.error.code]).toEqual([422, 'compose_forbidden']);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['/services/web/privileged', '/services/web/network_mode']),
    );
    expect((await admin.get('/api/v1/services?search=bad')).body.pagination.total).toBe(0);
  });

  it.each([
    ['no name', { composeYaml: COMPOSE }, '/name'],
    ['an empty name', { name: ' ', composeYaml: COMPOSE }, '/name'],
    ['no compose file', { name: 'x' }, '/composeYaml'],
    ['a customerId that is no UUID', { name: 'x', composeYaml: COMPOSE, customerId: '7' }, '/customerId'],
    ['an unknown customer', { name: 'x', composeYaml: COMPOSE, customerId: randomUUID() }, '/customerId'],
    ['memory for nothing', { name: 'x', composeYaml: COMPOSE, resourceLimits: { memoryMb: 1 } }, '/memoryMb'],
    ['a variable that is no text', { name: 'x', composeYaml: COMPOSE, variables: { A: 1 } }, '/variables/A'],
  ])('refuse %s', async (_, request, path) => {
    const { status, body } = await admin.post('/api/v1/services', request);
    expect([status, body.error.details[0].path]).toEqual([422, expect.stringContaining(path)]);
  });

  it.each([
    ['a.b', '/variables/a.b'],
    ['a/b~c', '/variables/a~1b~0c'],
    ['~1', '/variables/~01'],
    ['', '/variables/'],
  ])('point at the variable that is no text, whatever its name: "%s"', async (name, path) => {
    const { body } = await admin.post('/api/v1/services', {
      name: 'x',
      composeYaml: COMPOSE,
      variables: { [name]: 1 },
    });
    const message = expect.stringContaining(`variables.${name} must be a string`);
    expect(body.error.details).toEqual([{ path, code: 'invalid_format', message }]);
  });

  it.each(['', '1A', 'A=B', 'A B', 'a.b', 'A-B', 'Ä', 'A\0', 'A\n'])(
    'refuse a variable that no file could use, by its name: %j',
    async (name) => {
      const variables = { A: 'a', [name]: 'b', _b2: 'c' };
      const { status, body } = await admin.post('/api/v1/services/validate', { composeYaml: COMPOSE, variables });
      expect([status, body.error.code]).toEqual([422, 'validation_failed']);
      const shown = name.replaceAll('\u0000', '\uFFFD');
      expect(body.error.message).toContain(`variables.${shown} must have a name of letters, digits and underscores`);
      expect(body.error.details).toHaveLength(1);
    },
  );

  it('refuse names and values of variables in one answer', async () => {
    const variables = { A: 'a', B: 1, '2': 'b', '': null };
    const { body } = await admin.post('/api/v1/services/validate', { composeYaml: COMPOSE, variables });
    expect(body.error.message).toBe('variables: 3 of them cannot be used');
    const paths = body.error.details.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(['/variables/', '/variables/2', '/variables/B']);
  });

  it('point at everything that is wrong', async () => {
    const placesOf = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      expect(status).toBe(422);
      return body.error.details.map(({ path }: { path: string }) => path).sort();
    };
    const wrong = { name: '', customerId: 'x', variables: { A: 1 }, composeYaml: COMPOSE };
    expect(await placesOf(admin.post('/api/v1/services', wrong))).toEqual(['/customerId', '/name', '/variables/A']);
    const limits = { cpuCores: null, memoryMb: null, diskMb: null };
    expect(
      await placesOf(admin.post('/api/v1/services/validate', { composeYaml: COMPOSE, resourceLimits: limits })),
    ).toEqual(['/resourceLimits/cpuCores', '/resourceLimits/diskMb', '/resourceLimits/memoryMb']);
    expect(await placesOf(admin.get('/api/v1/services?status=nope&search=%00'))).toEqual(['/search', '/status']);
    expect(await placesOf(admin.get('/api/v1/audit?userId=x&organisationId=y'))).toEqual([
      '/organisationId',
      '/userId',
    ]);
  });

  it('point at every variable that is no text', async () => {
    const { body } = await admin.post('/api/v1/services', {
      name: 'x',
      composeYaml: COMPOSE,
      variables: { A: 1, B: 'b', C: null },
    });
    expect(body.error.message).toBe('variables: 2 of them must be strings');
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(['/variables/A', '/variables/C']);
  });

  it.each([
    ['a list', []],
    ['a body nested too deeply', { name: JSON.parse('['.repeat(70) + ']'.repeat(70)) as unknown }],
  ])('point at the whole body by the empty pointer: %s', async (_, request) => {
    const { status, body } = await admin.post('/api/v1/services', request);
    expect([status, body.error.details]).toEqual([
      422,
      [{ path: '', code: 'invalid_format', message: body.error.message }],
    ]);
    expect(body.error.message).toMatch(/^body must/);
  });

  it('say of each wrong limit what it must be, with a code in snake_case', async () => {
    const resourceLimits = { cpuCores: '1', memoryMb: 0.5, diskMb: 0 };
    const { body } = await admin.post('/api/v1/services', {
      name: 'x'.repeat(201),
      composeYaml: COMPOSE,
      resourceLimits,
    });
    const told = body.error.details.map(({ path, code, message }: Record<string, string>) => [path, code, message]);
    expect(told).toEqual([
      ['/name', 'too_long', 'name must have at most 200 characters'],
      ['/resourceLimits/cpuCores', 'invalid_type', 'cpuCores must be a number'],
      ['/resourceLimits/memoryMb', 'invalid_type', 'memoryMb must be a whole number'],
      ['/resourceLimits/diskMb', 'out_of_range', 'diskMb must not be less than 1'],
    ]);
  });

  it('read a compose file of 256 KiB and no larger one', async () => {
    const comment = (bytes: number) => `${COMPOSE}${`# ${'x'.repeat(9_997)}\n`.repeat(bytes / 5_000)}`.slice(0, bytes);
    const validate = (composeYaml: string) => admin.post('/api/v1/services/validate', { composeYaml });
    expect((await validate(comment(262_144))).status).toBe(200);
    expect((await validate(comment(262_145))).body.error).toMatchObject({ details: [{ path: '/composeYaml' }] });
    expect((await validate(comment(2_000_000))).body.error.code).toBe('payload_too_large');
    expect((await validate('services: {}')).body.error.details).toEqual([
      { path: '/services', code: 'invalid_format', message: 'It must not be empty.' },
    ]);
    const wrong = await validate(`${COMPOSE}    volumes: [${'/:/,'.repeat(3000)}]\n`);
    expect([wrong.status, wrong.body.error.code, wrong.body.error.details.length]).toEqual([
      ...[422, 'compose_forbidden', 3000],
    ]);
  });

  it('keep names apart within an owner, not between owners', async () => {
    const { id: customerId } = await anOrganisation(api.app);
    const name = `twin ${++names}`;
    await create({ name });
    await create({ name, customerId });
    const answer = await admin.post('/api/v1/services', { name, composeYaml: COMPOSE });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'service_name_taken']);
  });

  it('show the plan of a file without its values, and store nothing', async () => {
    const composeYaml = 'services:\n  web:\n    image: nginx\n    environment: {PASSWORD: hunter2}\n';
    const before = (await admin.get('/api/v1/services')).body.pagination.total;
    const { status, body, text } = await admin.post('/api/v1/services/validate', { composeYaml });
    expect([status, body.warnings[0].code]).toEqual([200, 'image_latest']);
    expect(body.plan.containers[0].environment).toEqual({ PASSWORD: '[redacted]' });
    expect(text).not.toContain('hunter2');
    expect((await admin.get('/api/v1/services')).body.pagination.total).toBe(before);
    expect((await admin.post('/api/v1/services/validate', { composeYaml: 'services: 7' })).status).toBe(422);
  });

  it('list newest first, by page, status and part of the name', async () => {
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

  it('refuse what the state forbids, with its own code, and accept a removal always', async () => {
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

  it('cancel a deployment that waits, and no other', async () => {
    const id = await create();
    const [deployment] = (await admin.get(`/api/v1/services/${id}/deployments`)).body.data;
    const cancelled = await admin.post(`/api/v1/deployments/${deployment.id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([202, 'cancelled']);
    expect((await admin.get(`/api/v1/services/${id}`)).body.status).toBe('error');
    const again = await admin.post(`/api/v1/deployments/${deployment.id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 'invalid_state']);
    expect((await admin.post(`/api/v1/deployments/${randomUUID()}/cancel`)).status).toBe(404);
  });

  it('answer 404 for what does not exist, on every route', async () => {
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

  it('are for admins, and a bound key of one sees the services of its organisations alone', async () => {
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
