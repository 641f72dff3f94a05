import { randomUUID } from 'node:crypto';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import { operationsOf } from '#platform/openapi/operations';
import { PLAIN_ANSWER } from '../../../support/analysis/model-server.js';
import { aCustomer, aKey, anAdminKey } from '../../../support/builders/a-panel-user.js';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineHost, engineJson } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages, makeImage } from '../../../support/docker/images.js';
import { GitServer } from '../../../support/git/git-server.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { connectMcp, type McpClient } from '../../../support/mcp/mcp-client.js';
import { SECRETS_KEY } from '../../../support/panel-api.js';
import { SocketClient } from '../../../support/realtime/socket-client.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';
import { staffCli } from '../../../support/processes/staff-cli.js';

const NAME = `test-local-model-${process.pid}`;
const IMAGE = `docker.io/${NAME}/server:1`;
const ANSWER = { ...PLAIN_ANSWER, summary: 'Said by the bundled model.' };

/** Gives every request the same answer. It reads the head up to the empty line, and then a body of the given length. */
const HANDLER = `length=0
while IFS= read -r line; do
  line=$(printf %s "$line" | tr -d '\\r')
  [ -z "$line" ] && break
  case "$line" in [Cc]ontent-[Ll]ength:*) length=\${line#*: } ;; esac
done
[ "$length" -gt 0 ] && head -c "$length" > /dev/null
printf 'HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %s\\r\\nconnection: close\\r\\n\\r\\n' \\
  "$(wc -c < /answer.json)"
cat /answer.json
`;

describeWithEngine('the bundled local model', () => {
  const instance = `model-${process.pid}`;
  let git: GitServer;
  let panel: PanelWithWorker;
  let admin: HttpClient;
  let mcp: McpClient;
  let customer: HttpClient;
  let socket: SocketClient;
  let modelId: string;
  let deploymentId: string;

  beforeAll(async () => {
    const message = { role: 'assistant', content: JSON.stringify(ANSWER) };
    const completion = { choices: [{ index: 0, finish_reason: 'stop', message }], usage: { total_tokens: 100 } };
    await makeImage(IMAGE, {
      files: { '/handler.sh': HANDLER, '/answer.json': JSON.stringify(completion) },
      instructions: ['ENTRYPOINT ["sh", "-c", "exec nc -ll -p 8080 -e sh /handler.sh"]'],
    });
    git = await GitServer.start();
    git.repository('shop').commit({ 'package.json': '{"name":"shop"}', 'README.md': '# The shop\n' });
    panel = await startPanelWithWorker({
      instance,
      settings: { GIT_ALLOWED_HOSTS: git.host, GIT_CA_FILE: git.caFile },
    });
    admin = panel.admin;
    await panel.startWorker();
    mcp = await connectMcp(panel.api.url, '/mcp/admin', await anAdminKey(panel.api.app));
    socket = await SocketClient.greeted(panel.api.url, { key: await anAdminKey(panel.api.app) });
    await socket.subscribe('services');
    customer = panel.api.as(await aKey(panel.api.app, (await aCustomer(panel.api.app)).user));
  });

  afterAll(async () => {
    await mcp?.close();
    socket?.ws.terminate();
    await panel?.close();
    await git?.close();
    await forgetImages(NAME);
  });

  const cli = (...args: string[]) => {
    const env = { DATABASE_URL: panel.api.database.url, SECRETS_KEYS: SECRETS_KEY, DOCKER_HOST: engineHost() };
    return staffCli({ ...env, PANEL_INSTANCE: instance }, [...args, '--json']);
  };
  /** Removes the id from a refusal, which repeats the id of the request. */
  const toldOnSocket = () =>
    socket.messages.filter((message) => message.type !== 'error' && JSON.stringify(message).includes(modelId));
  const ask = () => admin.post('/api/v1/analyze/gitea', { repo_url: git.url('shop') });

  it('does not exist until the staff installs it', async () => {
    expect((await cli('ai', 'status')).json).toEqual({ installed: false });
    const { status, body } = await ask();
    expect([status, body.error.code]).toEqual([503, 'ai_provider_unconfigured']);
    expect((await cli('ai', 'install', '--model', '--no such model')).code).not.toBe(0);
    const { code, json } = await cli('ai', 'install', '--image', IMAGE, '--model', 'test/model', '--memory-mb', '64');
    expect([code, json]).toEqual([0, expect.objectContaining({ status: 'pending', serviceId: expect.any(String) })]);
    [modelId, deploymentId] = [json.serviceId, json.deploymentId];
    const again = await cli('ai', 'install', '--image', IMAGE);
    expect([again.code, again.json.error.code]).toEqual([1, 'already_installed']);
    const state = await eventually(
      async () => (await cli('ai', 'status')).json,
      ({ isReady }) => isReady === true,
      30_000,
    );
    expect(state).toMatchObject({ installed: true, serviceId: modelId, image: IMAGE, model: 'test/model' });
  });

  it('is used if no other provider is configured', async () => {
    const { status, body } = await ask();
    expect([status, body.status]).toEqual([202, 'queued']);
    const done = await eventually(
      async () => (await admin.get(`/api/v1/analyze/${body.analysis_id}`)).body,
      ({ status }) => status === 'completed' || status === 'failed',
      25_000,
    );
    expect([done.error, done.result?.summary]).toEqual([null, ANSWER.summary]);
  });

  it('appears in no list and no total', async () => {
    for (const [client, area] of [
      [admin, ''],
      [customer, '/portal'],
    ] as const) {
      const { body } = await client.get(`/api/v1${area}/services`);
      expect([body.data, body.pagination.total]).toEqual([[], 0]);
      const summary = await client.get(`/api/v1${area}/services/metrics/summary`);
      expect(summary.text).not.toContain(modelId);
    }
    expect((await admin.get('/api/v1/services?search=model')).body.pagination.total).toBe(0);
    expect((await mcp.call('list_services')).text).not.toContain(modelId);
    expect((await mcp.call('search_services', { query: 'model' })).text).not.toContain(modelId);
    expect((await mcp.call('get_overview')).text).not.toContain(modelId);
    expect((await cli('services', 'list')).json).toEqual([]);
  });

  it('does not exist for any route or tool', async () => {
    const routes = operationsOf(panel.api.app.get(OpenApiSource).document()).filter(({ path }) =>
      /^\/api\/v1\/(?:portal\/)?(?:services|deployments)\/\{id\}/.test(path),
    );
    expect(routes.length).toBeGreaterThan(40);
    const answerOf = async (client: HttpClient, method: string, path: string) => {
      const body = method === 'get' ? undefined : {};
      const answer = await client.call(method.toUpperCase(), path, { body });
      return [answer.status, String(answer.text).replaceAll(String(answer.headers.get('x-request-id')), 'REQUEST')];
    };
    for (const { method, path } of routes) {
      const client = path.includes('/portal/') ? customer : admin;
      const id = path.includes('/deployments/{id}') ? deploymentId : modelId;
      const [real, missing] = [id, randomUUID()].map((one) => path.replace(/\{\w+\}/g, one));
      expect([method, path, await answerOf(client, method, real!)]).toEqual([
        method,
        path,
        await answerOf(client, method, missing!),
      ]);
    }
    for (const tool of ['get_service', 'get_logs', 'get_health', 'get_metrics', 'get_disk_usage', 'list_deployments']) {
      const [real, missing] = [modelId, randomUUID()].map((serviceId) => mcp.call(tool, { serviceId }));
      const [told, untold] = [await real!, await missing!];
      expect([tool, told.isError, told.text]).toEqual([tool, true, untold.text]);
    }
    const stop = await mcp.call('control_service', { serviceId: modelId, action: 'stop', confirm: true });
    expect(stop.isError).toBe(true);
    expect((await cli('ai', 'status')).json).toMatchObject({ status: 'running', isReady: true });
  });

  it('is mentioned on no channel', async () => {
    for (const channel of [`service:${modelId}`, `service:${modelId}:logs`, `deployment:${deploymentId}`])
      expect(await socket.subscribe(channel)).toMatchObject({ type: 'error', data: { code: 'not_found' } });
    expect(toldOnSocket()).toEqual([]);
  });

  it('is shown to the staff, publishes no port, and is removed with its file', async () => {
    const { json } = await cli('services', 'show', modelId);
    expect(json).toMatchObject({ id: modelId, status: 'running', customerId: null, portMappings: [] });
    expect((await cli('ai', 'remove', '--yes')).code).toBe(0);
    await eventually(
      async () => (await cli('ai', 'status')).json,
      ({ installed }) => installed === false,
      30_000,
    );
    expect(toldOnSocket()).toEqual([]);
    expect((await ask()).status).toBe(503);
    expect((await cli('services', 'show', modelId)).code).toBe(1);
    const filters = encodeURIComponent(JSON.stringify({ label: [`panel.service=${modelId}`] }));
    expect(await engineJson<unknown[]>('GET', `/containers/json?all=1&filters=${filters}`)).toEqual([]);
    const { Volumes } = await engineJson<{ Volumes: unknown[] | null }>('GET', `/volumes?filters=${filters}`);
    expect(Volumes ?? []).toEqual([]);
    expect((await cli('ai', 'remove', '--yes')).json.error.code).toBe('not_installed');
  });
});
