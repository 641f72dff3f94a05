import { aCustomer, aKey, anAdminKey } from '../../../support/builders/a-panel-user.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

describe('the templates over HTTP', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;
  let ids: ReadonlyMap<string, string>;

  beforeAll(async () => {
    api = await startPanelApi();
    admin = api.as(await anAdminKey(api.app));
    const { body } = await admin.get('/api/v1/templates');
    ids = new Map((body.data as { slug: string; id: string }[]).map(({ slug, id }) => [slug, id]));
  });

  afterAll(() => api.close());

  const deploy = (slug: string, body: object) => admin.post(`/api/v1/templates/${ids.get(slug)}/deploy`, body);
  const total = async () => (await admin.get('/api/v1/services')).body.pagination.total as number;

  it('are six, with the fields of the contract, and can be read by id but not by slug', async () => {
    expect([...ids.keys()]).toEqual(['postgresql', 'mysql', 'mariadb', 'mongodb', 'redis', 'qdrant']);
    const one = await admin.get(`/api/v1/templates/${ids.get('postgresql')}`);
    expect([one.status, Object.keys(one.body)]).toEqual([
      200,
      [
        'id',
        'slug',
        'name',
        'description',
        'category',
        'kind',
        'version',
        'image',
        'defaultPort',
        'minRamMb',
        'security',
        'tags',
        'documentationUrl',
        'variables',
        'volumes',
        'ports',
        'backup',
        'createdAt',
        'updatedAt',
      ],
    ]);
    expect((await admin.get('/api/v1/templates/postgresql')).status).toBe(404);
    expect((await admin.post('/api/v1/templates/postgresql/deploy', { name: 'x' })).status).toBe(404);
  });

  it.each(['postgresql', 'mysql', 'mariadb', 'mongodb', 'redis', 'qdrant'])(
    '%s is accepted as it stands',
    async (slug) => {
      const answer = await deploy(slug, { name: `any ${slug}` });
      expect([answer.status, answer.body]).toEqual([
        202,
        { serviceId: expect.any(String), deploymentId: expect.any(String), status: 'pending' },
      ]);
      const service = (await admin.get(`/api/v1/services/${answer.body.serviceId}`)).body;
      expect(service).toMatchObject({ deploymentType: 'template', templateName: slug, portMappings: [] });
      const { body } = await admin.get(`/api/v1/services/${answer.body.serviceId}/credentials`);
      expect(body).toMatchObject({ host: `any-${slug}`, port: expect.any(Number) });
    },
  );

  it.each([
    ['an unknown variable', { variables: { DB_NAMES: 'x' } }, 422, 'validation_failed', '/variables/DB_NAMES'],
    ['a bad password', { variables: { DB_PASSWORD: 'short' } }, 422, 'validation_failed', '/variables/DB_PASSWORD'],
    [
      'too little memory',
      { resourceLimits: { memoryMb: 255 } },
      422,
      'resource_below_minimum',
      '/resourceLimits/memoryMb',
    ],
    ['no name', { name: undefined }, 422, 'validation_failed', '/name'],
  ])('%s is refused and leaves nothing behind', async (_, change, status, code, path) => {
    const before = await total();
    const answer = await deploy('postgresql', { name: 'refused', ...change });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toEqual([path]);
    expect(await total()).toBe(before);
  });

  it('refuse a service name that another service of the organisation has', async () => {
    const { organisation } = await aCustomer(api.app);
    const other = await aCustomer(api.app);
    const body = (name: string, customerId: string) => ({ name, customerId, variables: { SERVICE_NAME: 'db' } });
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) => deploy('redis', body(name, organisation.id))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body.error.code).toBe('service_name_taken');
    expect((await deploy('redis', body('one', other.organisation.id))).status).toBe(202);
    const services = (await admin.get('/api/v1/services?search=t')).body.data as { customerId: string }[];
    expect(services.filter(({ customerId }) => customerId === organisation.id).length).toBeLessThanOrEqual(1);
  });

  it('can be deployed by a customer within its quota, and only administrators see the key of Qdrant', async () => {
    const { user, organisation } = await aCustomer(api.app);
    const customer = api.as(await aKey(api.app, user));
    const quota = { services: 1, cpuCores: null, memoryMb: null, diskMb: null };
    await admin.call('PUT', `/api/v1/organisations/${organisation.id}/quota`, { body: quota });
    const path = `/api/v1/portal/templates/${ids.get('qdrant')}/deploy`;
    const accepted = await customer.post(path, { name: 'vectors' });
    expect(accepted.status).toBe(202);
    expect((await customer.post(path, { name: 'more vectors' })).status).toBe(409);
    expect((await customer.post(path, { name: 'x', customerId: organisation.id })).status).toBe(422);
    const own = `/api/v1/portal/services/${accepted.body.serviceId}/credentials`;
    expect((await customer.get(own)).body).toMatchObject({ password: null, apiKey: '********' });
    expect((await customer.post(`${own}/reveal`)).body.error.code).toBe('forbidden');
    const revealed = await admin.post(`/api/v1/services/${accepted.body.serviceId}/credentials/reveal`);
    expect(revealed.body.apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
    const stranger = api.as(await aKey(api.app, (await aCustomer(api.app)).user));
    expect((await stranger.get(own)).status).toBe(404);
  });

  it('allow changes of limits down to the minimum, and no changes of variables', async () => {
    const { serviceId } = (await deploy('mariadb', { name: 'changed' })).body;
    const change = (body: object) => admin.call('PATCH', `/api/v1/services/${serviceId}`, { body });
    expect((await change({ resourceLimits: { memoryMb: 511 } })).body.error.code).toBe('resource_below_minimum');
    expect((await change({ variables: { DB_NAME: 'x' } })).status).toBe(422);
    expect((await change({ composeYaml: 'services: {}' })).status).toBe(422);
    expect((await change({ resourceLimits: { memoryMb: 1024 } })).status).toBeGreaterThanOrEqual(200);
  });

  it('have credentials only for databases, which can be revealed ten times a minute', async () => {
    const compose = { name: 'plain', composeYaml: 'services: {web: {image: nginx:1.27}}' };
    const plain = (await admin.post('/api/v1/services', compose)).body.serviceId as string;
    expect((await admin.get(`/api/v1/services/${plain}/credentials`)).status).toBe(404);
    const { serviceId } = (await deploy('redis', { name: 'revealed' })).body;
    const rotate = await admin.post(`/api/v1/services/${serviceId}/credentials/rotate`);
    expect(rotate.status).toBe(409);
    const fresh = api.as(await anAdminKey(api.app));
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await fresh.post(`/api/v1/services/${serviceId}/credentials/reveal`)).status);
    expect([statuses.slice(0, 9), statuses[10]]).toEqual([Array.from({ length: 9 }, () => 200), 429]);
  });
});
