import { aCustomer } from '../../../support/builders/a-panel-user.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { askCaddy } from '../../../support/ingress/caddy-client.js';
import { CaddyServer } from '../../../support/ingress/caddy.js';
import { BED_START_MS, TemplateBed } from '../../../support/services/template-bed.js';

const CANARY = 'canary-qd-b81f5d20';

/** Uses a stub of the REST API, because no package source here has Qdrant (docs/templates.md). */
describeWithDatabases('Qdrant from a template, on a stub of its API', () => {
  let bed: TemplateBed;
  let id: string;
  let caddy: CaddyServer;

  beforeAll(async () => {
    caddy = await CaddyServer.start();
    bed = await TemplateBed.startForStub({ ...caddy.settings, BASE_DOMAIN: 'apps.test' });
    await bed.publish('qdrant', 'qdrant/qdrant:v1.15.1');
    const { organisation } = await aCustomer(bed.panel.api.app);
    id = await bed.deploy('qdrant', {
      name: 'Vectors',
      customerId: organisation.id,
      variables: { DB_PASSWORD: CANARY },
      resourceLimits: { memoryMb: 1024 },
    });
    await bed.untilDone(id);
  }, BED_START_MS);

  afterAll(async () => {
    await bed?.close();
    await caddy.remove();
  });

  const rest = (path: string, key: string | null, method = 'GET') => {
    const script =
      'exec 3<>/dev/tcp/127.0.0.1/6333; printf "$METHOD $TARGET HTTP/1.1\\r\\nHost: h\\r\\n${KEY:+api-key: $KEY\\r\\n}' +
      'Connection: close\\r\\n\\r\\n" >&3; cat <&3';
    return bed.run(id, ['bash', '-c', script], { METHOD: method, TARGET: path, KEY: key ?? '' });
  };

  it('protects its data with the API key and leaves its health endpoints open', async () => {
    expect(await rest('/collections', null)).toMatch(/^HTTP\/1.1 401 /);
    expect(await rest('/collections', 'wrong')).toMatch(/^HTTP\/1.1 401 /);
    expect(await rest('/collections', CANARY)).toMatch(/^HTTP\/1.1 200 /);
    expect(await rest('/healthz', null)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('has REST API and dashboard over HTTPS at its own host, with the key, and no host port', async () => {
    const { data } = (await bed.panel.admin.get(`/api/v1/services/${id}/domains`)).body;
    expect(data).toMatchObject([{ status: 'active', targetPort: 6333 }]);
    const host = data[0].host as string;
    const ask = (path: string, headers: Record<string, string> = {}) =>
      askCaddy(caddy, host, { path, headers }).then(({ status }) => status, String);
    await eventually(
      () => ask('/healthz'),
      (status) => status === 200,
      30_000,
    );
    expect([await ask('/collections'), await ask('/collections', { 'api-key': CANARY })]).toEqual([401, 200]);
    const { HostConfig } = await bed.inspect((await bed.container(id)).Id);
    expect(HostConfig.PortBindings).toEqual({});
  }, 60_000);

  it('reveals its key in no log and no response, except to an administrator', async () => {
    const { Id } = await bed.container(id);
    const logs = (await engineRequest('GET', `/containers/${Id}/logs?stdout=1&stderr=1`)).text;
    const path = `/api/v1/services/${id}/credentials`;
    const masked = await bed.panel.admin.get(path);
    const service = await bed.panel.admin.get(`/api/v1/services/${id}`);
    expect(logs + masked.text + service.text + bed.panel.logs()).not.toContain(CANARY);
    expect(masked.body).toMatchObject({ database: null, username: null, apiKey: '********' });
    expect((await bed.panel.admin.post(`${path}/reveal`)).body).toMatchObject({ apiKey: CANARY });
  });

  it('keeps its collections after a kill and a redeployment', async () => {
    expect(await rest('/collections/books', CANARY, 'PUT')).toMatch(/"result":true/);
    const { Id } = await bed.container(id);
    await engineRequest('POST', `/containers/${Id}/kill`);
    await bed.panel.admin.post(`/api/v1/services/${id}/redeploy`);
    await bed.untilDone(id);
    expect(await rest('/collections', CANARY)).toContain('"books"');
  }, 120_000);

  it('is restarted by the panel when its health endpoint fails', async () => {
    const startedAt = async () => (await bed.inspect((await bed.container(id)).Id)).State.StartedAt as string;
    const before = await startedAt();
    await bed.run(id, ['touch', '/tmp/unhealthy']);
    await eventually(startedAt, (now) => now !== before, 90_000);
    const health = async () => (await bed.panel.admin.get(`/api/v1/services/${id}/health`)).body;
    expect((await eventually(health, ({ status }) => status === 'healthy', 60_000)).recovery.attempts).toBe(1);
  }, 180_000);
});
