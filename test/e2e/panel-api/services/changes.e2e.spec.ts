import { randomUUID } from 'node:crypto';
import { aCustomer, aKey, anAdminKey, anOrganisation } from '../../../support/builders/a-panel-user.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n';
const NEWER = 'services:\n  web:\n    image: nginx:1.28\n';
const WITH_PORTS = "services:\n  web:\n    image: nginx:1.27\n    ports: ['18200:80']\n";

describe('the routes that change a service', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;
  let names = 0;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    admin = api.as(await anAdminKey(api.app));
  });
  afterAll(() => api.close());

  /** No worker runs here, so the queued deployment is cancelled to bring the service to rest. */
  async function create(given: object = {}): Promise<string> {
    const request = { name: `c${++names}`, composeYaml: COMPOSE, ...given };
    const { status, body, text } = await admin.post('/api/v1/services', request);
    expect([status, text]).toEqual([202, text]);
    await admin.post(`/api/v1/deployments/${body.deploymentId}/cancel`);
    return body.serviceId as string;
  }

  const customer = async () => {
    const organisation = await anOrganisation(api.app);
    const { user } = await aCustomer(api.app, { organisation });
    return { organisation, client: api.as(await aKey(api.app, user, { role: 'customer' })) };
  };

  it('answer 200 with the service if no deployment is needed, and 202 with a deployment otherwise', async () => {
    const id = await create();
    const renamed = await admin.patch(`/api/v1/services/${id}`, { name: ' renamed ', description: null });
    expect([renamed.status, renamed.body]).toMatchObject([200, { id, name: 'renamed', description: null }]);
    expect((await admin.patch(`/api/v1/services/${id}`, { composeYaml: COMPOSE })).status).toBe(200);
    const accepted = await admin.patch(`/api/v1/services/${id}`, { composeYaml: NEWER });
    expect([accepted.status, accepted.body]).toEqual([
      202,
      { serviceId: id, deploymentId: expect.any(String), status: 'deploying' },
    ]);
    const { body } = await admin.get(`/api/v1/deployments/${accepted.body.deploymentId}`);
    expect(body).toMatchObject({ serviceId: id, trigger: 'update', status: 'queued', strategy: null, commitSha: null });
    const versions = await admin.get(`/api/v1/services/${id}/versions`);
    expect(versions.body).toMatchObject({
      data: [
        { number: 2, deploymentId: accepted.body.deploymentId, actor: { userId: expect.any(String) } },
        { number: 1, deploymentId: expect.any(String) },
      ],
      pagination: { page: 1, pageSize: 20 },
    });
    expect(JSON.stringify(versions.body)).not.toContain('nginx');
  });

  it('refuse a change that is not based on the newest version, and name the newest', async () => {
    const id = await create();
    const source = await admin.get(`/api/v1/services/${id}/source`);
    const ifMatch = { 'if-match': source.headers.get('etag')! };
    const change = { composeYaml: NEWER };
    expect((await admin.patch(`/api/v1/services/${id}`, change, ifMatch)).status).toBe(202);
    const late = await admin.patch(`/api/v1/services/${id}`, { resourceLimits: { memoryMb: 256 } }, ifMatch);
    expect([late.status, late.body.error.code, late.body.error.message]).toEqual([
      409,
      'conflict',
      'The newest version of the service is 2; this change is based on version 1.',
    ]);
    expect((await admin.patch(`/api/v1/services/${id}`, {}, { 'if-match': 'x' })).status).toBe(422);
    // Without a version in the request, the last change wins.
    expect((await admin.patch(`/api/v1/services/${id}`, { resourceLimits: { memoryMb: 256 } })).status).toBe(202);
    const { data } = (await admin.get(`/api/v1/services/${id}/deployments`)).body;
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['queued', 'superseded', 'cancelled']);
  });

  it.each([
    ['an empty name', { name: ' ' }, '/name'],
    ['no name', { name: null }, '/name'],
    ['no file', { composeYaml: null }, '/composeYaml'],
    [
      'a file with a key that is forbidden',
      { composeYaml: `${COMPOSE}    privileged: true\n` },
      '/services/web/privileged',
    ],
    [
      'a secret that nobody has written',
      { composeYaml: `${COMPOSE}    environment: ['A=\${secret:NO}']\n` },
      '/services/web',
    ],
    ['a variable that nobody has given', { composeYaml: `${COMPOSE}    user: '\${NO}'\n` }, '/services/web/user'],
    ['a variable that is not a string', { variables: { A: 1 } }, '/variables/A'],
    ['too little memory', { resourceLimits: { memoryMb: 1 } }, '/memoryMb'],
    ['an unknown customer', { customerId: randomUUID() }, '/customerId'],
  ])('refuse a change with %s and change nothing', async (_, change, path) => {
    const id = await create();
    const before = (await admin.get(`/api/v1/services/${id}`)).body;
    const { status, body } = await admin.patch(`/api/v1/services/${id}`, { description: 'changed', ...change });
    expect([status, body.error.details[0].path]).toEqual([422, expect.stringContaining(path)]);
    expect((await admin.get(`/api/v1/services/${id}`)).body).toEqual(before);
    expect((await admin.get(`/api/v1/services/${id}/versions`)).body.data).toHaveLength(1);
  });

  it('show the source with masked values of variables, and record who read it', async () => {
    const id = await create({ composeYaml: `${COMPOSE}    user: '\${ID}'\n`, variables: { ID: 'canary-4711' } });
    const { status, headers, body, text } = await admin.get(`/api/v1/services/${id}/source`);
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([200, '"1"', 'no-store']);
    expect(body).toEqual({
      serviceId: id,
      version: 1,
      composeYaml: `${COMPOSE}    user: '\${ID}'\n`,
      variables: { ID: '********' },
    });
    expect(text).not.toContain('canary-4711');
    const audit = await admin.get('/api/v1/audit?action=service.source_read');
    expect(audit.body.data[0]).toMatchObject({ target: id, detail: { version: 1 } });
  });

  it('let administrators assign a service to another organisation, and refuse that in the portal', async () => {
    const { organisation, client } = await customer();
    const id = await create();
    expect((await client.get(`/api/v1/portal/services/${id}`)).status).toBe(404);
    const moved = await admin.patch(`/api/v1/services/${id}`, { customerId: organisation.id });
    expect([moved.status, moved.body.customerId]).toEqual([200, organisation.id]);
    expect((await client.get(`/api/v1/portal/services/${id}`)).status).toBe(200);
    const refused = await client.patch(`/api/v1/portal/services/${id}`, { customerId: null, name: 'x' });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([422, '/customerId']);
    const stranger = (await customer()).client;
    for (const path of ['', '/versions', '/source'])
      expect((await stranger.get(`/api/v1/portal/services/${id}${path}`)).status).toBe(404);
    expect((await stranger.patch(`/api/v1/portal/services/${id}`, { name: 'mine' })).status).toBe(404);
  });

  it('let a customer keep the ports that an administrator published, and add no others', async () => {
    const { organisation, client } = await customer();
    const id = await create({ composeYaml: WITH_PORTS, customerId: organisation.id });
    const path = `/api/v1/portal/services/${id}`;
    expect((await client.patch(path, { composeYaml: WITH_PORTS.replace('18200', '18201') })).status).toBe(422);
    expect((await client.patch(path, { composeYaml: WITH_PORTS.replace('1.27', '1.28') })).status).toBe(202);
  });

  it('count a larger version against the quota before it is deployed', async () => {
    const { organisation, client } = await customer();
    const id = await create({ customerId: organisation.id });
    const quota = `/api/v1/organisations/${organisation.id}/quota`;
    await admin.call('PUT', quota, {
      body: { services: null, cpuCores: null, memoryMb: 1024, diskMb: null },
    });
    const path = `/api/v1/portal/services/${id}`;
    const tooMuch = await client.patch(path, { resourceLimits: { memoryMb: 2048 } });
    expect([tooMuch.status, tooMuch.body.error.code]).toEqual([409, 'conflict']);
    expect((await client.patch(path, { resourceLimits: { memoryMb: 1024 } })).status).toBe(202);
    expect((await client.get('/api/v1/portal/usage')).body.used.memoryMb).toBe(1024);
  });

  it('refuse a body for a redeployment, which would ignore it', async () => {
    const id = await create();
    const refused = await admin.post(`/api/v1/services/${id}/redeploy`, { composeYaml: NEWER });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'validation_failed']);
    expect((await admin.post(`/api/v1/services/${id}/redeploy`)).status).toBe(202);
  });
});
