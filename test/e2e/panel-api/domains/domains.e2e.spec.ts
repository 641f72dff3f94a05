import { randomUUID } from 'node:crypto';
import { AuditLog, type Organisation } from '#libs/panel-auth';
import { aCustomer, aKey, anAdminKey } from '../../../support/builders/a-panel-user.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { Answer, HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';
import { freePort } from '../../../support/free-port.js';

const WEB = 'services:\n  web:\n    image: nginx:1.27\n    expose: ["8080"]\n';
const TWO = `${WEB}  db:\n    image: postgres:16\n    expose: ["5432"]\n`;
const ENGINE = { DOCKER_HOST: 'unix:///nowhere/docker.sock', LOG_LEVEL: 'error' };

describe('domains of services', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;
  let names = 0;

  beforeAll(async () => {
    const ingress = { CADDY_ADMIN_URL: `http://127.0.0.1:${await freePort()}`, INGRESS_HTTPS_PORT: '8443' };
    const names = {
      BASE_DOMAIN: 'apps.test',
      PANEL_URL: 'https://panel.test',
      PARTNER_API_BASE_URL: 'https://partner.test',
    };
    api = await startPanelApi({ settings: { ...ENGINE, ...ingress, ...names } });
    admin = api.as(await anAdminKey(api.app));
  });
  afterAll(() => api?.close());

  const service = async (composeYaml = WEB, as = admin, area = '/api/v1') => {
    const answer = await as.post(`${area}/services`, { name: `d${++names}`, composeYaml });
    expect(answer.status).toBe(202);
    return answer.body.serviceId as string;
  };
  const add = (id: string, body: object, as = admin, area = '/api/v1') =>
    as.post(`${area}/services/${id}/domains`, body);
  const hostsOf = async (id: string) =>
    (await admin.get(`/api/v1/services/${id}/domains`)).body.data.map((domain: any) => [domain.host, domain.isPrimary]);
  const urlOf = async (id: string) => (await admin.get(`/api/v1/services/${id}`)).body.url;
  const tenant = async (organisation?: Organisation) => {
    const made = await aCustomer(api.app, { organisation });
    return { ...made, as: api.as(await aKey(api.app, made.user)) };
  };
  const wrong = ({ status, body }: Answer) => [status, body.error.details?.[0]?.path, body.error.message];
  const refused = ({ status, body }: Answer) => [status, body.error.code];

  it('under the base domain are active at once and set the url of the service', async () => {
    const id = await service();
    const { status, body } = await add(id, { host: 'Shop.Apps.TEST.' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      serviceId: id,
      host: 'shop.apps.test',
      targetService: 'web',
      targetPort: 8080,
      isPrimary: true,
      tls: 'automatic',
      status: 'active',
      verification: {
        method: 'base_domain',
        record: null,
        value: null,
        checkedAt: body.verifiedAt,
        errorMessage: null,
      },
      verifiedAt: expect.any(String),
      certificateExpiresAt: null,
      createdAt: body.verifiedAt,
    });
    expect(await urlOf(id)).toBe('https://shop.apps.test:8443');
    expect((await admin.get(`/api/v1/services?search=d${names}`)).body.data[0].url).toBe('https://shop.apps.test:8443');
  });

  it('outside the base domain wait for their DNS record', async () => {
    const id = await service();
    const { body } = await add(id, { host: 'shop.example.com', tls: 'off', targetPort: 81 });
    expect(body).toMatchObject({
      status: 'pending',
      tls: 'off',
      targetPort: 81,
      verifiedAt: null,
      verification: {
        method: 'dns_txt',
        record: '_panel-challenge.shop.example.com',
        value: expect.stringMatching(/^panel-verification=[\w-]{43}$/),
        checkedAt: null,
      },
    });
    expect(await urlOf(id)).toBeNull();
  });

  it.each([
    ['a wildcard', '*.apps.test'],
    ['an address', '192.0.2.1'],
    ['an address in disguise', '0x7f.1'],
    ['an IPv6 address', '[::1]'],
    ['a port', 'shop.apps.test:443'],
    ['a URL', 'https://shop.apps.test/'],
    ['a path', 'shop.apps.test/admin'],
    ['a single label', 'localhost'],
    ['an underscore', '_acme-challenge.apps.test'],
    ['an invisible character', 'sh\u00adop.apps.test'],
    ['nothing', ''],
  ])('are refused with the name of the field: %s', async (_, host) => {
    const id = await service();
    expect(wrong(await add(id, { host }))).toEqual([422, '/host', expect.stringMatching(/^host /)]);
    expect(await hostsOf(id)).toEqual([]);
  });

  it.each(['panel.test', 'PANEL.TEST', 'partner.test', 'apps.test', 'panel.test.'])(
    'refuse %s, the name of the panel itself',
    async (host) => {
      const id = await service();
      expect(wrong(await add(id, { host }))).toEqual([422, '/host', 'host belongs to the panel itself']);
    },
  );

  it('belong to one service, in every spelling and across organisations', async () => {
    const [mine, yours] = [await tenant(), await tenant()];
    const first = await service(WEB, mine.as, '/api/v1/portal');
    const second = await service(WEB, yours.as, '/api/v1/portal');
    const portal = '/api/v1/portal';
    expect((await add(first, { host: 'bücher.example' }, mine.as, portal)).body.host).toBe('xn--bcher-kva.example');
    expect(refused(await add(first, { host: 'bücher.example' }, mine.as, portal))).toEqual([409, 'domain_taken']);
    for (const host of ['BÜCHER.example', 'xn--bcher-kva.example.'])
      expect(refused(await add(second, { host }, yours.as, portal))).toEqual([409, 'domain_taken']);
    expect((await add(first, { host: 'mine.apps.test' }, mine.as, portal)).status).toBe(201);
    expect(refused(await add(second, { host: 'login.mine.apps.test' }, yours.as, portal))).toEqual([
      409,
      'domain_taken',
    ]);
    expect((await add(first, { host: 'login.mine.apps.test' }, mine.as, portal)).status).toBe(201);
    const [one, other] = await Promise.all([
      add(first, { host: 'race.apps.test' }, mine.as, portal),
      add(second, { host: 'race.apps.test' }, yours.as, portal),
    ]);
    expect([one.status, other.status].sort()).toEqual([201, 409]);
  });

  it('cannot be seen or changed by others, who get the same answer as for a missing one', async () => {
    const [mine, yours] = [await tenant(), await tenant()];
    const id = await service(WEB, mine.as, '/api/v1/portal');
    const { body: domain } = await add(id, { host: 'private.apps.test' }, mine.as, '/api/v1/portal');
    const attempts = (target: string, domainId: string) => [
      yours.as.get(`/api/v1/portal/services/${target}/domains`),
      add(target, { host: 'theirs.apps.test' }, yours.as, '/api/v1/portal'),
      yours.as.call('PATCH', `/api/v1/portal/domains/${domainId}`, { body: { targetPort: 1 } }),
      yours.as.post(`/api/v1/portal/domains/${domainId}/verify`),
      yours.as.delete(`/api/v1/portal/domains/${domainId}`),
    ];
    const seen = (answers: readonly Answer[]) =>
      answers.map(({ status, body }) => [status, body.error.code, body.error.message]);
    const foreign = seen(await Promise.all(attempts(id, domain.id)));
    expect(foreign).toEqual(seen(await Promise.all(attempts(randomUUID(), randomUUID()))));
    expect(new Set(foreign.map(([status]) => status))).toEqual(new Set([404]));
    const bound = api.as(await aKey(api.app, (await tenant()).user));
    expect((await bound.get(`/api/v1/portal/services/${id}/domains`)).status).toBe(404);
    expect((await mine.as.get(`/api/v1/portal/services/${id}/domains`)).body.data).toEqual([domain]);
  });

  it('need their own permissions', async () => {
    const { user } = await tenant();
    const reader = api.as(await aKey(api.app, user, { scopes: ['services:*', 'domains:read'] }));
    const id = await service(WEB, api.as(await aKey(api.app, user)), '/api/v1/portal');
    expect((await reader.get(`/api/v1/portal/services/${id}/domains`)).status).toBe(200);
    expect((await add(id, { host: 'reader.apps.test' }, reader, '/api/v1/portal')).status).toBe(403);
    const blind = api.as(await aKey(api.app, user, { permissionsDeny: ['domains:read'] }));
    expect((await blind.get(`/api/v1/portal/services/${id}/domains`)).status).toBe(403);
  });

  it('point to a container of the compose file, and require a target if there are several', async () => {
    const id = await service(TWO);
    expect(wrong(await add(id, { host: 'two.apps.test' }))).toEqual([
      422,
      '/targetService',
      'targetService must be one of web, db',
    ]);
    expect(wrong(await add(id, { host: 'two.apps.test', targetService: 'nobody', targetPort: 80 }))).toEqual([
      422,
      '/targetService',
      'targetService must be one of web, db',
    ]);
    const { body } = await add(id, { host: 'two.apps.test', targetService: 'db' });
    expect(body).toMatchObject({ targetService: 'db', targetPort: 5432 });
    const silent = await service('services:\n  web:\n    image: nginx:1.27\n');
    expect(wrong(await add(silent, { host: 'silent.apps.test' }))).toEqual([
      422,
      '/targetPort',
      'targetPort must be the port that web listens on',
    ]);
    for (const targetPort of [0, 65_536, 1.5, '80'])
      expect(wrong(await add(silent, { host: 'silent.apps.test', targetPort }))).toEqual([
        422,
        '/targetPort',
        expect.stringContaining('targetPort'),
      ]);
  });

  it('can be changed except for the host; one is primary, and the next one replaces it', async () => {
    const id = await service(TWO);
    const web = { targetService: 'web' };
    const { body: a } = await add(id, { host: 'a.apps.test', ...web });
    const { body: b } = await add(id, { host: 'b.apps.test', ...web, isPrimary: true });
    const { body: c } = await add(id, { host: 'c.apps.test', ...web, tls: 'off' });
    expect(await hostsOf(id)).toEqual([
      ['a.apps.test', false],
      ['b.apps.test', true],
      ['c.apps.test', false],
    ]);
    const patch = (domain: { id: string }, body: object) =>
      admin.call('PATCH', `/api/v1/domains/${domain.id}`, { body });
    expect(wrong(await patch(a, { host: 'other.apps.test' }))).toEqual([422, '/host', expect.any(String)]);
    expect(wrong(await patch(a, { targetService: 'nobody' }))).toEqual([422, '/targetService', expect.any(String)]);
    expect((await patch(c, { isPrimary: true, targetService: 'db', targetPort: 5433 })).body).toMatchObject({
      isPrimary: true,
      targetService: 'db',
      targetPort: 5433,
      tls: 'off',
    });
    expect(await urlOf(id)).toBe('http://c.apps.test');
    expect((await admin.delete(`/api/v1/domains/${c.id}`)).status).toBe(204);
    expect((await admin.delete(`/api/v1/domains/${c.id}`)).status).toBe(404);
    expect(await urlOf(id)).toBe('https://a.apps.test:8443');
    expect((await patch(b, { isPrimary: true, tls: 'internal' })).status).toBe(200);
    expect(await urlOf(id)).toBe('https://b.apps.test:8443');
    expect((await add(id, { host: 'c.apps.test', ...web })).status).toBe(201);
  });

  it('are added for a template with an HTTPS port, and for no other template', async () => {
    const { data } = (await admin.get('/api/v1/templates')).body as { data: { slug: string; id: string }[] };
    const deploy = async (slug: string) => {
      const { id } = data.find((template) => template.slug === slug)!;
      const answer = await admin.post(`/api/v1/templates/${id}/deploy`, { name: `My ${slug}` });
      expect(answer.status).toBe(202);
      return answer.body.serviceId as string;
    };
    const vectors = await deploy('qdrant');
    const [domain, ...others] = (await admin.get(`/api/v1/services/${vectors}/domains`)).body.data;
    expect(domain).toMatchObject({ host: 'my-qdrant.apps.test', targetService: 'my-qdrant', targetPort: 6333 });
    expect(others).toEqual([]);
    expect(await urlOf(vectors)).toBe('https://my-qdrant.apps.test:8443');
    expect(await hostsOf(await deploy('redis'))).toEqual([]);
  });

  it('are recorded in the audit log', async () => {
    const id = await service();
    const { body } = await add(id, { host: 'audited.apps.test' });
    await admin.delete(`/api/v1/domains/${body.id}`);
    const { entries } = await api.app.get(AuditLog).page({ action: null, userId: null, organisationId: null }, 1, 50);
    const mine = entries.filter(({ target }) => target === body.id);
    expect(mine.map(({ action, detail }) => [action, detail])).toEqual([
      ['domain.removed', { serviceId: id, host: 'audited.apps.test' }],
      ['domain.added', { serviceId: id, host: 'audited.apps.test' }],
    ]);
  });
});

describe('domains of services, without an ingress', () => {
  it('stay pending and say why, and the service has no url', async () => {
    const clock = new FixedClock('2026-05-01T08:00:00Z');
    const api = await startPanelApi({ clock, settings: { ...ENGINE, BASE_DOMAIN: 'apps.test' } });
    try {
      const admin = api.as(await anAdminKey(api.app));
      const { serviceId } = (await admin.post('/api/v1/services', { name: 'off', composeYaml: WEB })).body;
      const { status, body } = await admin.post(`/api/v1/services/${serviceId}/domains`, { host: 'off.apps.test' });
      expect([status, body.status, body.verifiedAt]).toEqual([201, 'pending', null]);
      expect(body.verification.errorMessage).toBe('The ingress is off: CADDY_ADMIN_URL is not set.');
      const verified = await admin.post(`/api/v1/domains/${body.id}/verify`);
      expect([verified.status, verified.body]).toEqual([200, body]);
      expect((await admin.get(`/api/v1/services/${serviceId}`)).body.url).toBeNull();
    } finally {
      await api.close();
    }
  });
});
