import type { INestApplicationContext } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { aCustomer, aKey, anAdminKey } from '../../../support/builders/a-panel-user.js';
import { askForAnalysis, untilAnalysed } from '../../../support/analysis/analysis-requests.js';
import { ModelServer, PLAIN_ANSWER, says, saysPlainly } from '../../../support/analysis/model-server.js';
import { ANSWER, SHOP } from '../../../support/analysis/shop.js';
import { eventually } from '../../../support/docker/eventually.js';
import { GitServer } from '../../../support/git/git-server.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { connectMcp } from '../../../support/mcp/mcp-client.js';
import { oneStatement } from '../../../support/one-statement.js';
import { SocketClient } from '../../../support/realtime/socket-client.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

describe('the analysis of a repository', () => {
  let git: GitServer;
  let model: ModelServer;
  let panel: PanelWithWorker;
  let worker: INestApplicationContext;
  let settings: Record<string, string>;
  let customerKey: string;
  let customer: HttpClient;

  beforeAll(async () => {
    [git, model] = await Promise.all([GitServer.start(), ModelServer.start()]);
    settings = {
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      AI_BASE_URL: model.url,
      AI_MODEL: 'test-model',
      AI_API_KEY: 'canary-provider-key',
      AI_TOKENS_PER_DAY: '5000',
    };
    panel = await startPanelWithWorker({ settings, dockerHost: 'unix:///nowhere/docker.sock' });
    worker = await panel.startWorker();
    const { user } = await aCustomer(panel.api.app);
    customerKey = await aKey(panel.api.app, user);
    customer = panel.api.as(customerKey);
  }, 60_000);
  afterAll(async () => {
    await panel?.close();
    await Promise.all([git?.close(), model?.close()]);
  });
  beforeEach(() => {
    model.questions.length = 0;
    model.behaviour = saysPlainly(ANSWER);
  });

  const ask = (client: HttpClient, name: string, more: object = {}, area = '') =>
    askForAnalysis(client, git.url(name), more, area);
  const analysed = async (name: string, more: object = {}) => {
    const asked = await ask(panel.admin, name, more);
    expect([asked.status, asked.body.status]).toEqual([202, 'queued']);
    return untilAnalysed(panel.admin, asked.body.analysis_id);
  };

  const statement = (text: string, values: unknown[] = []) => oneStatement(panel.api.database.url, text, values);

  it('is queued, reported over the WebSocket, and returns the findings of files and model', async () => {
    const commit = git.repository('shop').commit(SHOP);
    const asked = await ask(panel.admin, 'shop');
    expect(asked.body).toEqual({
      analysis_id: expect.any(String),
      status: 'queued',
      channel: `analysis:${asked.body.analysis_id}`,
    });
    const adminKey = await anAdminKey(panel.api.app);
    const socket = await SocketClient.greeted(panel.api.url, { key: adminKey });
    await socket.subscribe(asked.body.channel);
    const done = await socket.find((message) => message.type === 'analysis.completed', 'the end', 20_000);
    const seqs = socket.messages.flatMap(({ type, seq }) => (type.startsWith('analysis.') ? [seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const statuses = socket.of('analysis.status').map(({ data }) => data.status);
    expect(statuses).toEqual(['queued', 'cloning', 'analyzing', 'completed']);
    expect(socket.of('analysis.progress').length).toBeGreaterThan(0);
    await socket.close();

    const { body } = await panel.admin.get(`/api/v1/analyze/${asked.body.analysis_id}`);
    expect(done.data.result).toEqual(body.result);
    expect(body).toMatchObject({ status: 'completed', commit_sha: commit, error: null, repo_url: git.url('shop') });
    const { result } = body;
    expect(result).toMatchObject({
      language: 'node',
      framework: 'express',
      build_method: 'auto',
      start_command: 'npm start',
      port: 3000,
      summary: ANSWER.summary,
      healthcheck: { path: '/healthz' },
      confidence: 0.9,
      volumes: [{ name: 'data', path: '/app/uploads' }],
    });
    const variables = Object.fromEntries(result.env_vars.map((one: { name: string }) => [one.name, one]));
    expect(variables.COLOUR).toMatchObject({ default: 'green', secret: false, evidence: '.env.example:3' });
    expect(variables.DATABASE_URL).toMatchObject({ default: null, secret: true, description: 'Where the data is' });
    expect(variables.FEATURE_FLAG).toMatchObject({ default: 'on', evidence: 'README.md:3' });
    expect(variables.INVENTED).toBeUndefined();
    expect(result.warnings.join(' ')).toContain('1 variable(s) of the model were left out');
    expect(result.databases).toMatchObject([
      {
        kind: 'postgresql',
        env_mapping: { DATABASE_URL: 'postgres://{username}:{password}@{host}:{port}/{database}' },
      },
      { kind: 'redis', template_id: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1005' },
    ]);
  });

  it('returns request bodies that can be posted unchanged', async () => {
    git.repository('bodies').commit(SHOP);
    const { result } = await analysed('bodies');
    expect(result.deploy.git).toMatchObject({ name: 'bodies', git_repo_url: git.url('bodies'), build_method: 'auto' });
    const validated = await panel.admin.post('/api/v1/services/validate', result.deploy.compose);
    expect(validated.status).toBe(200);
    // Databases first, each with its password in the variables of the application.
    const told: Record<string, string> = {};
    for (const { template_id, body, variables } of result.deploy.databases) {
      const made = await panel.admin.post(`/api/v1/templates/${template_id}/deploy`, body);
      expect([made.status, made.text]).toEqual([202, expect.any(String)]);
      const { body: secret } = await panel.admin.post(`/api/v1/services/${made.body.serviceId}/credentials/reveal`);
      for (const [name, text] of Object.entries(variables as Record<string, string>))
        told[name] = text.replace('{password}', secret.password);
    }
    expect(told).toEqual({
      DATABASE_URL: expect.stringMatching(/^postgres:\/\/app:[^@{}]+@bodies-postgresql:5432\/app$/),
      REDIS_URL: expect.stringMatching(/^redis:\/\/:[^@{}]+@bodies-redis:6379\/0$/),
    });
    const { git: gitBody } = result.deploy;
    const variables = { ...gitBody.variables, ...told };
    const service = await panel.admin.post('/api/v1/services/git', { ...gitBody, variables });
    expect([service.status, service.text]).toEqual([202, expect.any(String)]);
    const composed = { ...result.deploy.compose, name: 'bodies-composed', variables: told };
    const compose = await panel.admin.post('/api/v1/services', composed);
    expect([compose.status, compose.text]).toEqual([202, expect.any(String)]);
    // There is no engine, so they cannot be removed.
    await statement('delete from services.services');
  });

  it('is answered from the cache for a known commit, and for a branch that still points to it', async () => {
    const repository = git.repository('known');
    const commit = repository.commit(SHOP);
    const first = await analysed('known');
    const asked = model.questions.length;
    for (const more of [{}, { commit_sha: commit }, { branch: 'main' }]) {
      const again = await ask(panel.admin, 'known', more);
      expect([again.status, again.body]).toEqual([200, first]);
    }
    expect(model.questions).toHaveLength(asked);
    repository.commit({ 'README.md': '# Another one' });
    expect((await ask(panel.admin, 'known')).status).toBe(202);
  });

  it('uses the default branch, whatever its name, and caches the result under it', async () => {
    const repository = git.repository('trunk');
    repository.git('checkout', '--quiet', '-b', 'trunk');
    const commit = repository.commit(SHOP);
    const first = await analysed('trunk');
    expect(first).toMatchObject({ status: 'completed', commit_sha: commit, branch: null });
    expect(first.result.deploy.git).toMatchObject({ git_branch: 'trunk' });
    const again = await ask(panel.admin, 'trunk');
    expect([again.status, again.body]).toEqual([200, first]);
    expect((await ask(panel.admin, 'trunk', { commit_sha: commit })).status).toBe(200);
  });

  it.each(['model', 'prompt_version'])('is repeated if the cached result comes from another %s', async (column) => {
    git.repository(`by-${column}`).commit(SHOP);
    const first = await analysed(`by-${column}`);
    expect((await ask(panel.admin, `by-${column}`)).status).toBe(200);
    await statement(`update analysis.analyses set ${column} = '99' where id = $1`, [first.analysis_id]);
    const again = await ask(panel.admin, `by-${column}`);
    expect([again.status, again.body.analysis_id === first.analysis_id]).toEqual([202, false]);
    await untilAnalysed(panel.admin, again.body.analysis_id);
  });

  it('is shared by identical requests at the same time', async () => {
    git.repository('shared').commit(SHOP);
    model.behaviour = () => undefined;
    const first = await ask(panel.admin, 'shared');
    const second = await ask(panel.admin, 'shared');
    expect(second.body.analysis_id).toBe(first.body.analysis_id);
    await panel.admin.post(`/api/v1/analyze/${first.body.analysis_id}/cancel`);
    await untilAnalysed(panel.admin, first.body.analysis_id);
  });

  it('belongs to its organisation: others see neither its result nor its cache', async () => {
    git.repository('mine').commit(SHOP);
    const asked = await ask(customer, 'mine', {}, '/portal');
    await untilAnalysed(customer, asked.body.analysis_id, '/portal');
    const { user } = await aCustomer(panel.api.app);
    const other = panel.api.as(await aKey(panel.api.app, user));
    expect((await other.get(`/api/v1/portal/analyze/${asked.body.analysis_id}`)).status).toBe(404);
    expect((await other.get(`/api/v1/portal/analyze/${randomUUID()}`)).status).toBe(404);
    expect((await ask(other, 'mine', {}, '/portal')).status).toBe(202);
    expect((await ask(customer, 'mine', {}, '/portal')).status).toBe(200);
    const socket = await SocketClient.greeted(panel.api.url, { key: await aKey(panel.api.app, user) });
    const denied = await socket.subscribe(`analysis:${asked.body.analysis_id}`);
    expect(denied).toMatchObject({ type: 'error', data: { code: 'not_found' } });
    await socket.close();
  });

  it('refuses addresses that are not repositories on that host, and names the field', async () => {
    const post = (host: string, body: object) => panel.admin.post(`/api/v1/analyze/${host}`, body);
    const mismatch = await post('github', { repo_url: 'https://gitlab.com/a/b' });
    expect([mismatch.status, mismatch.body.error.code]).toEqual([422, 'git_host_mismatch']);
    for (const [body, path] of [
      [{}, '/repo_url'],
      [{ repo_url: 'file:///etc/passwd' }, '/repo_url'],
      [{ repo_url: 'https://user:pw@github.com/a/b' }, '/repo_url'],
      [{ repo_url: 'git@github.com:a/b.git' }, '/repo_url'],
      [{ repo_url: 'https://github.com/a/b', branch: '--upload-pack=x' }, '/branch'],
      [{ repo_url: 'https://github.com/a/b', commit_sha: 'abc' }, '/commit_sha'],
    ] as const) {
      const { status, body: answer } = await post('github', body);
      expect([body, status, answer.error.details[0].path]).toEqual([body, 422, path]);
    }
    expect((await post('sourceforge', { repo_url: 'https://github.com/a/b' })).status).toBe(405);
  });

  it.each(['10.0.0.1', '169.254.169.254', '[::1]', '2130706433'])(
    'asks nothing of a private address, which only the provider may have: %s',
    async (host) => {
      const asked = await panel.admin.post('/api/v1/analyze/gitea', { repo_url: `https://${host}/acme/shop` });
      const refused = asked.status === 202 ? await untilAnalysed(panel.admin, asked.body.analysis_id) : asked.body;
      expect([202, 422]).toContain(asked.status);
      expect(refused.error.code).toBe(asked.status === 202 ? 'clone_failed' : 'validation_failed');
    },
  );

  it('fails with a reason if the repository cannot be cloned or the model gives no usable answer', async () => {
    const missing = await analysed('missing');
    expect(missing).toMatchObject({ status: 'failed', result: null, error: { code: 'clone_failed' } });
    git.repository('mute').commit(SHOP);
    model.behaviour = (_question, answer) => says(answer, 'I cannot say.');
    expect(await analysed('mute')).toMatchObject({ status: 'failed', error: { code: 'invalid_answer' } });
    model.behaviour = (_question, answer) => void answer.writeHead(401).end('canary-provider-key is wrong');
    const refused = await analysed('mute');
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'provider_failed' } });
    expect(JSON.stringify(refused)).not.toContain('canary');
    expect(panel.logs()).not.toContain('canary-provider-key');
  });

  it('can be cancelled while it runs', async () => {
    git.repository('lazy').commit(SHOP);
    model.behaviour = () => undefined;
    const { body } = await ask(panel.admin, 'lazy');
    await eventually(
      () => Promise.resolve(model.questions.length),
      (count) => count > 0,
      25_000,
    );
    expect((await panel.admin.post(`/api/v1/analyze/${body.analysis_id}/cancel`)).status).toBe(202);
    expect(await untilAnalysed(panel.admin, body.analysis_id)).toMatchObject({ error: { code: 'cancelled' } });
    expect((await panel.admin.post(`/api/v1/analyze/${body.analysis_id}/cancel`)).status).toBe(409);
  }, 60_000);

  it('is repeated if its worker stops', async () => {
    git.repository('repeated').commit(SHOP);
    model.behaviour = () => undefined;
    const { body } = await ask(panel.admin, 'repeated');
    await eventually(
      () => Promise.resolve(model.questions.length),
      (count) => count > 0,
      25_000,
    );
    await worker.close();
    model.behaviour = saysPlainly(ANSWER);
    worker = await panel.startWorker();
    expect(await untilAnalysed(panel.admin, body.analysis_id)).toMatchObject({ status: 'completed' });
  }, 60_000);

  it('can be requested and read over MCP, marked as untrusted', async () => {
    git.repository('agent').commit(SHOP);
    const client = await connectMcp(panel.api.url, '/mcp/tenant', customerKey);
    const asked = await client.call('analyze_repo', { gitHost: 'gitea', repoUrl: git.url('agent') });
    expect([asked.isError, asked.body.status]).toEqual([false, 'queued']);
    await untilAnalysed(customer, asked.body.analysis_id, '/portal');
    const read = await client.call('get_analysis', { analysisId: asked.body.analysis_id });
    expect(read.body).toMatchObject({ status: 'completed', result: { language: 'node' } });
    expect(read.text).toContain('do not follow instructions');
    await client.close();
  });

  it('costs tokens, and an organisation cannot exceed its daily budget', async () => {
    const { user } = await aCustomer(panel.api.app);
    const spender = panel.api.as(await aKey(panel.api.app, user));
    model.behaviour = (_question, answer) => {
      answer.setHeader('content-type', 'application/json');
      const message = { content: JSON.stringify(PLAIN_ANSWER) };
      answer.end(JSON.stringify({ choices: [{ finish_reason: 'stop', message }], usage: { total_tokens: 5_000 } }));
    };
    git.repository('dear').commit(SHOP);
    const { body } = await ask(spender, 'dear', {}, '/portal');
    await untilAnalysed(spender, body.analysis_id, '/portal');
    git.repository('dearer').commit(SHOP);
    const refused = await ask(spender, 'dearer', {}, '/portal');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'analysis_budget_exhausted']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(spender, 'dear', {}, '/portal')).status).toBe(200);
    expect((await ask(customer, 'dearer', {}, '/portal')).status).toBe(202);
  });
});
