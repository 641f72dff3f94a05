import { randomUUID } from 'node:crypto';
import { aCustomer, aKey, aPanelUser } from '../../../support/builders/a-panel-user.js';
import { spellings } from '../../../support/database-dump.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { connectMcp, GENERATIONS, type McpClient } from '../../../support/mcp/mcp-client.js';
import { CANARIES, TALKING_VARIABLES, talkingCompose } from '../../../support/mcp/talking-service.js';
import { TemplateBed } from '../../../support/services/template-bed.js';

const LINES = 1_200;

const READING = [
  'services:read',
  'services.logs:read',
  'services.metrics:read',
  'deployments:read',
  'mcp:use',
] as const;
const READING_TOOLS = [
  ...['get_deployment', 'get_disk_usage', 'get_health', 'get_logs', 'get_metrics', 'get_overview', 'get_service'],
  ...['list_deployments', 'list_services', 'search_services'],
];

describeWithDatabases('MCP on an engine', () => {
  let bed: TemplateBed;
  let image: string;
  let customer: Awaited<ReturnType<typeof aCustomer>>;
  let tenant: McpClient;
  /** A running service that writes its secrets to its log, and whose first containers were replaced. */
  let talking: string;
  /** The deployments of `talking`, oldest first. */
  let deployments: readonly string[] = [];
  let failing: string;
  let database: string;

  beforeAll(async () => {
    bed = await TemplateBed.startForStub();
    const { panel } = bed;
    await bed.publish('qdrant', 'qdrant/qdrant:v1.15.1');
    image = await bed.publishPlain('plain:1');
    customer = await aCustomer(panel.api.app);
    const key = await aKey(panel.api.app, customer.user);
    const written = await panel.api.as(key).post('/api/v1/secrets', { name: 'SEALED', value: CANARIES.sealed });
    expect([written.status, written.text]).toEqual([201, expect.any(String)]);
    tenant = await connectMcp(panel.api.url, '/mcp/tenant', key);
    // What went to stderr arrives by another pipe, and may be later than what was said after it.
    talking = await made(
      'talking',
      `sleep 1; i=0; while [ $$i -lt ${LINES} ]; do echo "line $$i"; i=$$((i+1)); done; exec sleep 3600`,
    );
    failing = await made('failing', 'exit 3');
    const { data } = (await tenant.call('list_templates')).body;
    const { id } = data.find(({ slug }: { slug: string }) => slug === 'qdrant');
    const vectors = { templateId: id, name: 'vectors', variables: { DB_PASSWORD: CANARIES.database }, confirm: true };
    database = (await done('deploy_template', { ...vectors, resourceLimits: { memoryMb: 1024 } })).serviceId;
    await Promise.all([talking, failing, database].map((service) => panel.untilOver(service)));
    await done('control_service', { serviceId: talking, action: 'redeploy', confirm: true });
    await panel.untilOver(talking);
    const listed = (await tenant.call('list_deployments', { serviceId: talking })).body.data;
    expect(listed.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'succeeded']);
    deployments = listed.map((deployment: { id: string }) => deployment.id).reverse();
  }, 120_000);

  afterAll(async () => {
    await tenant?.close();
    await bed?.close();
  }, 60_000);

  async function done(tool: string, args: Record<string, unknown>): Promise<any> {
    const { isError, body, text } = await tenant.call(tool, args);
    expect([tool, isError, text]).toEqual([tool, false, expect.any(String)]);
    return body;
  }

  async function made(name: string, more: string): Promise<string> {
    const request = { kind: 'compose', name, composeYaml: talkingCompose(image, more), variables: TALKING_VARIABLES };
    const { planId } = await done('plan_change', request);
    return (await done('apply_change', { planId, confirm: true })).serviceId;
  }

  /** Calls every tool of a client, and asks for the logs in several ways. */
  async function callEverything(client: McpClient): Promise<Record<string, string | null>> {
    const outcome: Record<string, string | null> = {};
    const call = async (tool: string, args: Record<string, unknown> = {}) => {
      if (!client.tools.some(({ name }) => name === tool)) return null;
      const { isError, body } = await client.call(tool, args);
      outcome[tool] = isError ? (body.code as string) : null;
      return isError ? null : body;
    };
    const update = { kind: 'update', variables: { ...TALKING_VARIABLES, TOKEN: 'canary-new-4412' } };
    for (const serviceId of [talking, failing, database]) {
      for (const tool of ['get_service', 'get_health', 'get_metrics', 'get_disk_usage', 'list_backups'])
        await call(tool, { serviceId });
      await call('get_logs', { serviceId });
      await call('get_logs', { serviceId, since: '1970-01-01T00:00:00Z', tail: 1_000 });
      const listed = await call('list_deployments', { serviceId });
      for (const { id } of listed?.data ?? []) {
        await call('get_deployment', { deploymentId: id, tail: 500 });
        await call('get_logs', { serviceId, deploymentId: id });
      }
    }
    for (const tool of ['get_overview', 'list_services', 'list_templates']) await call(tool);
    await call('search_services', { search: 'talk' });
    await call('validate_compose', { composeYaml: talkingCompose(image, 'true'), variables: TALKING_VARIABLES });
    await call('plan_change', { ...update, serviceId: talking });
    await call('apply_change', { planId: randomUUID(), confirm: true });
    await call('control_service', { serviceId: talking, action: 'stop' });
    await call('deploy_template', { templateId: randomUUID(), name: 'none' });
    await call('create_backup', { serviceId: talking });
    await call('analyze_repo', { gitHost: 'github', repoUrl: 'https://github.com/acme/shop' });
    await call('get_analysis', { analysisId: randomUUID() });
    return outcome;
  }

  function expectNoCanary(text: string): void {
    for (const canary of [...Object.values(CANARIES), 'canary-new-4412'])
      for (const spelling of spellings(canary)) expect(text).not.toContain(spelling);
    expect(text).not.toContain('canary');
  }

  const KEYS: readonly [string, '/mcp/admin' | '/mcp/tenant', () => Promise<string>][] = [
    [
      'an administrator',
      '/mcp/admin',
      async () => aKey(bed.panel.api.app, await aPanelUser(bed.panel.api.app, 'admin')),
    ],
    ['a customer', '/mcp/tenant', () => aKey(bed.panel.api.app, customer.user)],
    [
      'an administrator bound to the organisation',
      '/mcp/admin',
      async () => aKey(bed.panel.api.app, await aPanelUser(bed.panel.api.app, 'admin'), {}, customer.organisation.id),
    ],
  ];

  describe.each(KEYS)('with the key of %s', (_who, path, keyOf) => {
    it.each(GENERATIONS)('no tool returns a secret: %s', async (generation) => {
      const client = await connectMcp(bed.panel.api.url, path, await keyOf(), generation);
      const outcome = await callEverything(client);
      expect(outcome).toEqual({
        ...Object.fromEntries(client.tools.map(({ name }) => [name, null])),
        get_logs: null,
        apply_change: 'not_found',
        control_service: 'confirmation_required',
        deploy_template: 'not_found',
        create_backup: expect.any(String),
        analyze_repo: 'ai_provider_unconfigured',
        get_analysis: 'not_found',
      });
      expect(client.received()).toContain('[redacted]');
      expectNoCanary(client.received());
      await client.close();
    });
  });

  describe('the log of a service', () => {
    /** All lines from the beginning, page by page. */
    async function readAll(args: object, tail: number): Promise<{ texts: string[]; pages: number; states: string[] }> {
      const texts: string[] = [];
      let since = '1970-01-01T00:00:00Z';
      for (let pages = 1; ; pages += 1) {
        const page = await done('get_logs', { serviceId: talking, tail, since, ...args });
        texts.push(...page.lines.map(({ text }: { text: string }) => text));
        since = page.next;
        if (!page.hasMore) return { texts, pages, states: page.containers.map((one: { state: string }) => one.state) };
        expect([page.skipped, pages < 50]).toEqual([false, true]);
      }
    }
    const numbered = (from: number) => Array.from({ length: LINES - from }, (_, index) => `line ${from + index}`);

    it('has every secret redacted, in whatever form the application wrote it', async () => {
      const { texts } = await readAll({}, 1_000);
      const said = [
        'started with [redacted] and [redacted], [redacted]',
        '{"connection": "[redacted]"}',
        'alone: [redacted]',
        // The middle of the key file.
        '[redacted]',
      ];
      expect(texts).toEqual(expect.arrayContaining(said));
    });

    it('can be read page by page, running and stopped, without duplicates or gaps', async () => {
      const running = await readAll({}, 500);
      expect([running.texts.filter((text) => text.startsWith('line')), running.states]).toEqual([
        numbered(0),
        ['running'],
      ]);
      await done('control_service', { serviceId: talking, action: 'stop', confirm: true });
      await bed.panel.untilOver(talking);
      const stopped = await readAll({}, 300);
      expect(stopped.texts).toEqual(running.texts);
      expect([stopped.pages > 3, stopped.states]).toEqual([true, ['exited']]);
      expect(await readAll({ container: 'web', deploymentId: deployments[1] }, 1_000)).toMatchObject({
        texts: running.texts,
      });
    });

    it('of replaced containers has their last 100 lines, page by page too', async () => {
      // Their times are stored in milliseconds. All lines of one millisecond are on one page.
      const { texts, states } = await readAll({ deploymentId: deployments[0] }, 30);
      expect([texts, states]).toEqual([numbered(LINES - 100), ['replaced']]);
      const [newest] = (await done('get_logs', { serviceId: talking, deploymentId: deployments[0], tail: 1 })).lines;
      expect(newest.text).toBe(`line ${LINES - 1}`);
    });
  });

  describe('a key', () => {
    it.each(GENERATIONS)(
      'with only read permissions sees only reading tools and gets no secret: %s',
      async (generation) => {
        const key = await aKey(bed.panel.api.app, customer.user, { scopes: [...READING] });
        const client = await connectMcp(bed.panel.api.url, '/mcp/tenant', key, generation);
        expect(client.tools.map(({ name }) => name).sort()).toEqual(READING_TOOLS);
        await callEverything(client);
        expect(client.received()).toContain('[redacted]');
        expectNoCanary(client.received());
        for (const [tool, args] of [
          ['control_service', { serviceId: talking, action: 'start', confirm: true }],
          ['plan_change', { kind: 'update', serviceId: talking, name: 'renamed' }],
          ['apply_change', { planId: randomUUID(), confirm: true }],
          ['create_backup', { serviceId: database }],
        ] as const)
          await expect(client.call(tool, args)).rejects.toThrow(/not found/i);
        await client.close();
      },
    );

    it.each(GENERATIONS)('of another organisation finds nothing: %s', async (generation) => {
      const { user } = await aCustomer(bed.panel.api.app);
      const client = await connectMcp(
        bed.panel.api.url,
        '/mcp/tenant',
        await aKey(bed.panel.api.app, user),
        generation,
      );
      for (const tool of ['get_service', 'get_health', 'get_metrics', 'get_disk_usage', 'get_logs', 'list_backups']) {
        const { isError, body } = await client.call(tool, { serviceId: talking });
        expect([tool, isError, body.code]).toEqual([tool, true, 'not_found']);
      }
      expect((await client.call('get_deployment', { deploymentId: deployments[0] })).body.code).toBe('not_found');
      expect((await client.call('plan_change', { kind: 'update', serviceId: talking, name: 'mine' })).body.code).toBe(
        'not_found',
      );
      expect((await client.call('list_services')).body.data).toEqual([]);
      await client.close();
    });

    it.each(GENERATIONS)('that is revoked can read nothing any more: %s', async (generation) => {
      const key = await aKey(bed.panel.api.app, await aPanelUser(bed.panel.api.app, 'admin'));
      const client = await connectMcp(bed.panel.api.url, '/mcp/admin', key, generation);
      expect((await client.call('get_logs', { serviceId: talking })).isError).toBe(false);
      const [{ id }] = (await bed.panel.api.as(key).get('/api/v1/api-keys')).body.keys;
      expect((await bed.panel.api.as(key).delete(`/api/v1/api-keys/${id}`)).status).toBe(204);
      await expect(client.call('get_logs', { serviceId: talking })).rejects.toThrow();
      await expect(connectMcp(bed.panel.api.url, '/mcp/admin', key, generation)).rejects.toThrow();
      await client.close();
    });

    it('of a customer can change a compose service with a plan, within its permissions', async () => {
      const change = { kind: 'update', serviceId: failing, composeYaml: talkingCompose(image, 'exec sleep 3600') };
      const { planId, effects } = await done('plan_change', change);
      expect(effects).toMatchObject({ containersReplaced: ['web'], containersRemoved: [] });
      await done('apply_change', { planId, confirm: true });
      expect(await bed.panel.untilOver(failing)).toMatchObject({ status: 'succeeded', trigger: 'update' });
      expect(await done('get_service', { serviceId: failing })).toMatchObject({ status: 'running' });
      const withPort = `${talkingCompose(image, 'exec sleep 3600')}    ports: ['8099:8080']\n`;
      const ports = await tenant.call('plan_change', { ...change, composeYaml: withPort });
      expect([ports.isError, ports.body.code]).toEqual([true, 'compose_forbidden']);
      const suspended = await tenant.call('control_service', { serviceId: failing, action: 'suspend', confirm: true });
      expect([suspended.isError, suspended.body.code]).toEqual([true, 'forbidden']);
    });
  });

  it('leaves no secret in logs and in the audit log', async () => {
    const { text } = await bed.panel.admin.get('/api/v1/audit?action=mcp.called&pageSize=100');
    expect(text).toContain('plan_change');
    expectNoCanary(text);
    expectNoCanary(bed.panel.logs());
  });
});
