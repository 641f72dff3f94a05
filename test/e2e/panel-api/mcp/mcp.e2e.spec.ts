import { randomUUID } from 'node:crypto';
import { aCustomer, aKey, aPanelUser, aSessionCookie, anAdminKey } from '../../../support/builders/a-panel-user.js';
import { connectMcp, GENERATIONS, type McpClient } from '../../../support/mcp/mcp-client.js';
import { rawRequest } from '../../../support/http/raw-request.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n    volumes: [data:/data]\nvolumes: {data: {}}\n';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};

describe('MCP', () => {
  let api: RunningPanelApi;
  let adminKey: string;
  let admin: McpClient;
  let customer: Awaited<ReturnType<typeof aCustomer>>;
  let tenant: McpClient;

  beforeAll(async () => {
    api = await startPanelApi();
    adminKey = await anAdminKey(api.app);
    admin = await connectMcp(api.url, '/mcp/admin', adminKey);
    customer = await aCustomer(api.app);
    tenant = await connectMcp(api.url, '/mcp/tenant', await aKey(api.app, customer.user));
  });
  afterAll(async () => {
    await admin?.close();
    await tenant?.close();
    await api?.close();
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const createdBy = async (client: McpClient, name: string, args: object = {}) => {
    const plan = await client.call('plan_change', { kind: 'compose', name, composeYaml: COMPOSE, ...args });
    expect([plan.isError, plan.text]).toEqual([false, expect.any(String)]);
    const done = await client.call('apply_change', { planId: plan.body.planId, confirm: true });
    expect([done.isError, done.text]).toEqual([false, expect.any(String)]);
    return done.body.serviceId as string;
  };

  it.each(GENERATIONS)('serves the official client: %s', async (generation) => {
    const client = await connectMcp(api.url, '/mcp/admin', adminKey, generation);
    expect(client.revision).toBe(generation === 'client v2, 2026-07-28' ? '2026-07-28' : '2025-11-25');
    expect(client.tools.length).toBeGreaterThan(10);
    expect(client.tools.length).toBeLessThanOrEqual(20);
    for (const { name, annotations, inputSchema, outputSchema } of client.tools) {
      expect([name, annotations]).toEqual([name, expect.objectContaining({ readOnlyHint: expect.any(Boolean) })]);
      expect([name, inputSchema]).toEqual([name, expect.objectContaining({ type: 'object' })]);
      expect([name, outputSchema]).toEqual([name, expect.objectContaining({ type: 'object' })]);
    }
    const { body } = await client.call('list_services', { pageSize: 5 });
    expect(body).toMatchObject({ data: expect.any(Array), pagination: { page: 1, pageSize: 5 } });
    expect((await client.call('list_services', { pageSize: 500 })).isError).toBe(true);
    await client.close();
  });

  it('has the tool names of the specification', () => {
    const known =
      'get_overview list_services search_services get_service get_logs list_deployments get_deployment get_metrics ' +
      'get_health get_disk_usage list_templates deploy_template validate_compose plan_change apply_change ' +
      'control_service analyze_repo get_analysis list_backups create_backup';
    expect(known.split(' ')).toEqual(expect.arrayContaining(admin.tools.map(({ name }) => name)));
  });

  describe('credentials', () => {
    it('must be keys: no key, a wrong key or a session get 401 with WWW-Authenticate Bearer', async () => {
      const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'admin'));
      const wrong = `pk_${'a'.repeat(8)}_${'b'.repeat(49)}`;
      const presented: Record<string, string>[] = [{}, bearer(wrong), { cookie, origin: api.url }];
      for (const headers of presented) {
        const answer = await post('/mcp/admin', INITIALIZE, headers);
        const body: any = await answer.json();
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
        expect(body.error.code).toBe('unauthorized');
      }
    });

    it('need mcp:use', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const key = await aKey(api.app, user, { permissionsDeny: ['mcp:use'] });
      expect((await post('/mcp/admin', INITIALIZE, bearer(key))).status).toBe(403);
    });

    it('of customers work only for the tenant area, and of administrators without an organisation only for the admin area', async () => {
      const key = await aKey(api.app, customer.user);
      // The key is bound to its organisation, so nothing else exists for it.
      expect((await post('/mcp/admin', INITIALIZE, bearer(key))).status).toBe(404);
      expect((await post('/mcp/tenant', INITIALIZE, bearer(key))).status).toBe(200);
      expect((await post('/mcp/tenant', INITIALIZE, bearer(adminKey))).status).toBe(404);
    });

    it('that are revoked are refused on the next request', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const clear = await aKey(api.app, user);
      const client = await connectMcp(api.url, '/mcp/admin', clear);
      expect((await client.call('list_services')).isError).toBe(false);
      const [{ id }] = (await api.as(clear).get('/api/v1/api-keys')).body.keys;
      expect((await api.as(clear).delete(`/api/v1/api-keys/${id}`)).status).toBe(204);
      await expect(client.call('list_services')).rejects.toThrow();
      await client.close();
    });

    it('have their rate limits', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const key = await aKey(api.app, user, { rateLimitRpm: 1 });
      const statuses: number[] = [];
      for (let sent = 0; sent < 3; sent++) {
        const answer = await post('/mcp/admin', INITIALIZE, bearer(key));
        statuses.push(answer.status);
        expect(answer.headers.get('ratelimit-limit')).toBe('1');
      }
      expect(statuses).toEqual([200, 429, 429]);
    });
  });

  describe('the request', () => {
    it('is refused from pages of other sites and with a foreign host name', async () => {
      const headers = bearer(adminKey);
      const answer = await post('/mcp/admin', INITIALIZE, { ...headers, origin: 'https://evil.example' });
      expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([403, 'origin_rejected']);
      expect((await post('/mcp/admin', INITIALIZE, { ...headers, origin: api.url })).status).toBe(200);
      // A foreign name that now resolves to this server (DNS rebinding).
      const body = JSON.stringify(INITIALIZE);
      const asked = (host: string) =>
        rawRequest(
          api.url,
          `POST /mcp/admin HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${adminKey}\r\nconnection: close\r\n` +
            'content-type: application/json\r\naccept: application/json, text/event-stream\r\n' +
            `content-length: ${body.length}\r\n\r\n${body}`,
        );
      const rebound = await asked('rebound.evil.example');
      expect([rebound.status, rebound.body]).toEqual([403, expect.stringContaining('origin_rejected')]);
      expect((await asked(new URL(api.url).host)).status).toBe(200);
    });

    it('is one message: a batch, an empty body and anything but JSON-RPC are refused, other methods get 405', async () => {
      const headers = bearer(adminKey);
      const batch = await post('/mcp/admin', [INITIALIZE, INITIALIZE], headers);
      expect([batch.status, ((await batch.json()) as any).error.code]).toEqual([400, -32600]);
      expect((await post('/mcp/admin', null, headers)).status).toBe(400);
      expect((await post('/mcp/admin', { hello: 1 }, headers)).status).toBe(400);
      for (const method of ['GET', 'DELETE', 'PUT'])
        expect((await fetch(`${api.url}/mcp/admin`, { method, headers })).status).toBe(405);
    });

    it('for an unknown tool gets a protocol error', async () => {
      await expect(admin.call('delete_everything')).rejects.toThrow(/not found|unknown/i);
    });
  });

  describe('tools', () => {
    it('that a key has no permission for are not listed and cannot be called', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const reading = ['services:read', 'deployments:read', 'mcp:use'] as const;
      const reader = await connectMcp(api.url, '/mcp/admin', await aKey(api.app, user, { scopes: [...reading] }));
      expect(reader.tools.map(({ name }) => name).sort()).toEqual(
        expect.arrayContaining(['get_overview', 'get_service', 'list_deployments', 'list_services', 'search_services']),
      );
      for (const name of ['get_logs', 'plan_change', 'apply_change', 'control_service', 'validate_compose'])
        expect(reader.tools.map((tool) => tool.name)).not.toContain(name);
      await expect(reader.call('control_service', { serviceId: randomUUID(), action: 'stop' })).rejects.toThrow();
      await reader.close();
    });

    it('show each caller the services of its own organisation', async () => {
      const mine = await createdBy(tenant, 'mine');
      const theirs = await createdBy(admin, 'of nobody');
      const seen = async (client: McpClient) =>
        (await client.call('list_services', { pageSize: 50 })).body.data.map(({ id }: { id: string }) => id);
      expect(await seen(tenant)).toContain(mine);
      expect(await seen(tenant)).not.toContain(theirs);
      expect(await seen(admin)).toEqual(expect.arrayContaining([mine, theirs]));
      for (const [tool, args] of [
        ['get_service', {}],
        ['get_health', {}],
        ['get_metrics', {}],
        ['get_logs', {}],
        ['list_deployments', {}],
        ['control_service', { action: 'stop', confirm: true }],
      ] as const) {
        const answer = await tenant.call(tool, { serviceId: theirs, ...args });
        expect([tool, answer.isError, answer.body.code]).toEqual([tool, true, 'not_found']);
      }
      const bound = await aKey(api.app, customer.user, {}, customer.organisation.id);
      const client = await connectMcp(api.url, '/mcp/tenant', bound);
      expect(await seen(client)).toEqual([mine]);
      await client.close();
    });

    it('return a service, its deployments, metrics, health and disk usage, and an overview', async () => {
      const serviceId = await createdBy(tenant, 'looked at');
      const call = async (tool: string, args = {}) => (await tenant.call(tool, { serviceId, ...args })).body;
      expect(await call('get_service')).toMatchObject({ id: serviceId, name: 'looked at', status: 'pending' });
      expect(await call('list_deployments')).toMatchObject({ data: [{ trigger: 'create', errorMessage: null }] });
      expect(await call('get_metrics', { range: '15m' })).toMatchObject({ available: false, current: null });
      expect(await call('get_health')).toMatchObject({ status: 'unknown', containers: [] });
      expect(await call('get_disk_usage')).toMatchObject({ available: false, totalBytes: null });
      const overview = (await tenant.call('get_overview')).body;
      expect(overview).toMatchObject({ area: 'tenant', organisationId: customer.organisation.id, inTrouble: [] });
      expect(overview.byStatus.pending).toBe(overview.total);
      expect(overview.quota.used.services).toBe(overview.total);
      const found = await tenant.call('search_services', { search: 'LOOKED' });
      expect(found.body.data).toMatchObject([{ id: serviceId }]);
    });

    it('validate a compose file like REST and show no values', async () => {
      const env = '    environment: {PASSWORD: canary-3f1a}\n';
      const good = await tenant.call('validate_compose', {
        composeYaml: COMPOSE.replace('volumes:', `${env.trim()}\n    volumes:`),
      });
      expect(good.body).toMatchObject({ containers: [{ name: 'web', environment: ['PASSWORD'] }], volumes: ['data'] });
      expect(good.text).not.toContain('canary-3f1a');
      const bad = await tenant.call('validate_compose', {
        composeYaml: 'services: {web: {image: a, privileged: true}}',
      });
      expect([bad.isError, bad.body.code, bad.body.details]).toEqual([
        true,
        'compose_forbidden',
        [expect.objectContaining({ path: '/services/web/privileged' })],
      ]);
    });

    it('require a confirmation before they act', async () => {
      const serviceId = await createdBy(tenant, 'asked about');
      const answer = await tenant.call('control_service', { serviceId, action: 'stop' });
      expect([answer.isError, answer.body.code]).toEqual([true, 'confirmation_required']);
      const suspend = await tenant.call('control_service', { serviceId, action: 'suspend', confirm: true });
      expect([suspend.isError, suspend.body.code]).toEqual([true, 'forbidden']);
      const done = await admin.call('control_service', { serviceId, action: 'suspend', confirm: true });
      expect(done.body).toMatchObject({ serviceId, status: 'stopping' });
    });

    it('are recorded in the audit log, including refused calls', async () => {
      const serviceId = await createdBy(tenant, 'audited');
      await tenant.call('control_service', { serviceId, action: 'stop' });
      const { body } = await api.as(adminKey).get('/api/v1/audit?action=mcp.called&pageSize=5');
      expect(body.data[0]).toMatchObject({
        action: 'mcp.called',
        organisationId: customer.organisation.id,
        target: `control_service ${serviceId} stop`,
        detail: { tool: 'control_service', area: 'tenant', outcome: 'confirmation_required' },
      });
      expect(body.data[1].detail).toMatchObject({ tool: 'apply_change', outcome: 'ok' });
      expect(body.data[2].target).toBe('plan_change compose');
    });
  });
});
