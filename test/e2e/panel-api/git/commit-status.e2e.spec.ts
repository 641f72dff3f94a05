import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { CommitStatusReports } from '#libs/services';
import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import { ShiftedClock } from '../../../support/fixed-clock.js';
import { databaseDump, spellings } from '../../../support/database-dump.js';
import { deliver, type Hook, type Host } from '../../../support/git/hook-delivery.js';
import { pullRequestOf } from '../../../support/git/pull-requests.js';
import { StatusHost } from '../../../support/git/status-host.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const TOKEN = 'canary-status-token';

/** No worker runs: the tests set the states of deployments and send the reports themselves. */
describe('commit statuses', () => {
  const clock = new ShiftedClock();
  let host: StatusHost;
  let api: RunningPanelApi;
  let admin: HttpClient;
  let sql: pg.Client;
  let number = 0;

  beforeAll(async () => {
    host = await StatusHost.start();
    const settings = {
      DOCKER_HOST: 'unix:///nowhere/docker.sock',
      LOG_LEVEL: 'debug',
      PANEL_URL: 'https://panel.example.com',
      GIT_ALLOWED_HOSTS: host.host,
      GIT_CA_FILE: host.caFile,
    };
    api = await startPanelApi({ clock, settings });
    admin = api.as(await anAdminKey(api.app));
    sql = new pg.Client({ connectionString: api.database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql?.end();
    await api?.close();
    await host?.close();
  });

  const aCommit = () => randomBytes(20).toString('hex');
  const report = () => api.app.get(CommitStatusReports).run();
  const settingsOf = async (id: string) => (await admin.get(`/api/v1/services/${id}/git-settings`)).body;

  async function stands(deploymentId: string, status: string): Promise<void> {
    const finished = status === 'running' ? 'null' : 'created_at';
    await sql.query(
      `update services.deployments set status = $2, started_at = created_at, finished_at = ${finished} where id = $1`,
      [deploymentId, status],
    );
  }

  async function aService(provider: Host) {
    number += 1;
    const name = `shop-${number}`;
    const { body } = await admin.post('/api/v1/services/git', {
      name,
      git_repo_url: `https://${host.host}/acme/shop.git`,
    });
    const { serviceId: id, deploymentId } = body as { serviceId: string; deploymentId: string };
    await stands(deploymentId, 'succeeded');
    await sql.query("update services.services set status = 'running', settled_status = 'running' where id = $1", [id]);
    const chosen = { statusProvider: provider, statusToken: TOKEN, previewsEnabled: true };
    const answer = await admin.patch(`/api/v1/services/${id}/git-settings`, chosen);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ statusProvider: provider, hasStatusToken: true, lastStatus: null }),
    ]);
    const hook = (await admin.post(`/api/v1/services/${id}/hook`)).body as Hook;
    return { id, name, hook };
  }

  async function pushed(hook: Hook, commit: string): Promise<string> {
    const push = { ref: 'refs/heads/main', after: commit, commits: [] };
    return (await deliver(api.url, 'github', hook, push)).body.deploymentId as string;
  }

  const PATHS: Readonly<Record<Host, (commit: string) => string>> = {
    github: (commit) => `/api/v3/repos/acme/shop/statuses/${commit}`,
    gitea: (commit) => `/api/v1/repos/acme/shop/statuses/${commit}`,
    gitlab: (commit) => `/api/v4/projects/acme%2Fshop/statuses/${commit}`,
    bitbucket: (commit) => `/2.0/repositories/acme/shop/commit/${commit}/statuses/build`,
  };
  const CREDENTIALS: Readonly<Record<Host, Record<string, string>>> = {
    github: { authorization: `Bearer ${TOKEN}` },
    gitea: { authorization: `token ${TOKEN}` },
    gitlab: { 'private-token': TOKEN },
    bitbucket: { authorization: `Bearer ${TOKEN}` },
  };
  const STATES: Readonly<Record<Host, readonly string[]>> = {
    github: ['pending', 'success', 'failure', 'error'],
    gitea: ['pending', 'success', 'failure', 'error'],
    gitlab: ['pending', 'success', 'failed', 'canceled'],
    bitbucket: ['INPROGRESS', 'SUCCESSFUL', 'FAILED', 'STOPPED'],
  };

  it.each(['github', 'gitea', 'gitlab', 'bitbucket'] as const)('are reported to %s in its format', async (provider) => {
    const { id, name, hook } = await aService(provider);
    const [pending, ...ends] = STATES[provider];
    for (const [place, end] of ['succeeded', 'failed', 'superseded'].entries()) {
      const commit = aCommit();
      const deploymentId = await pushed(hook, commit);
      await report();
      await report();
      await stands(deploymentId, 'running');
      await report();
      await stands(deploymentId, end);
      await report();
      const url = `https://panel.example.com/console/services/${id}/deployments/${deploymentId}`;
      const body = (state: string | undefined) => {
        const description = expect.any(String);
        if (provider === 'bitbucket')
          return { state, key: `panel-${id.slice(-12)}`, name: `panel/${name}`, url, description };
        const label = provider === 'gitlab' ? { name: `panel/${name}` } : { context: `panel/${name}` };
        return { state, ...label, target_url: url, description };
      };
      const request = `POST ${PATHS[provider](commit)}`;
      const headers = expect.objectContaining({ ...CREDENTIALS[provider], 'content-type': 'application/json' });
      expect(host.taken()).toEqual([
        { request, headers, body: body(pending) },
        { request, headers, body: body(ends[place]) },
      ]);
    }
    expect((await settingsOf(id)).lastStatus).toMatchObject({ state: 'cancelled', error: null });
  });

  it('that the host does not accept are tried five times, and the error is shown', async () => {
    const { id, hook } = await aService('gitea');
    const deploymentId = await pushed(hook, aCommit());
    await stands(deploymentId, 'succeeded');
    for (let count = 0; count < 8; count += 1) {
      host.answers.push({ status: 503 });
      await report();
      await report();
      clock.advance(90_000);
    }
    expect(host.taken()).toHaveLength(5);
    host.answers.length = 0;
    expect((await settingsOf(id)).lastStatus).toEqual({
      deploymentId,
      state: 'success',
      error: 'The host answered 503.',
      at: expect.any(String),
    });
    expect((await admin.get(`/api/v1/deployments/${deploymentId}`)).body.status).toBe('succeeded');
    const { text } = await admin.get(`/api/v1/deployments/${deploymentId}/log`);
    expect(text).toContain('commit_status_failed: The host answered 503.');
  });

  it('are not retried after the token was refused, until the next deployment', async () => {
    const { id, hook } = await aService('gitea');
    host.answers.push({ status: 401 });
    const first = await pushed(hook, aCommit());
    await report();
    clock.advance(90_000);
    await report();
    expect(host.taken()).toHaveLength(1);
    // A new state is reported separately.
    await stands(first, 'failed');
    await report();
    expect(host.taken()).toEqual([expect.objectContaining({ body: expect.objectContaining({ state: 'failure' }) })]);
    expect((await settingsOf(id)).lastStatus).toMatchObject({ state: 'failure', error: null });
  });

  it('of previews are reported with the token of the parent service', async () => {
    const { id, name, hook } = await aService('gitea');
    const commit = aCommit();
    const { event, payload } = pullRequestOf('gitea', 'opened', { number: 3, commit });
    expect((await deliver(api.url, 'gitea', hook, payload, event)).body.outcome).toBe('deployed');
    await report();
    expect(host.taken()).toEqual([
      expect.objectContaining({
        request: `POST ${PATHS.gitea(commit)}`,
        body: expect.objectContaining({ state: 'pending', context: `panel/${name}-pr-3` }),
      }),
    ]);
    expect((await settingsOf(id)).lastStatus).toMatchObject({ state: 'pending' });
  });

  it('are reported by only one of two workers', async () => {
    const { hook } = await aService('gitea');
    await pushed(hook, aCommit());
    await Promise.all([report(), report(), report()]);
    expect(host.taken()).toHaveLength(1);
  });

  it('end when the token is removed, and the token is never shown', async () => {
    const { id, hook } = await aService('gitea');
    expect(JSON.stringify(await settingsOf(id))).not.toContain(TOKEN);
    const answer = await admin.patch(`/api/v1/services/${id}/git-settings`, { statusToken: null });
    expect([answer.status, answer.body.hasStatusToken]).toEqual([200, false]);
    await pushed(hook, aCommit());
    await report();
    expect(host.taken()).toEqual([]);
    const unclear = await admin.patch(`/api/v1/services/${id}/git-settings`, {
      statusToken: TOKEN,
      statusProvider: null,
    });
    expect([unclear.status, unclear.body.error.details]).toEqual([
      422,
      [expect.objectContaining({ path: '/statusProvider' })],
    ]);
    expect((await settingsOf(id)).hasStatusToken).toBe(false);
    const odd = await admin.patch(`/api/v1/services/${id}/git-settings`, { statusToken: 'a\r\nx-evil: 1' });
    expect([odd.status, odd.text.includes('x-evil')]).toEqual([422, false]);
  });

  it('reveal neither tokens nor hook secrets nor deploy keys in logs and tables', async () => {
    const { id, hook } = await aService('gitea');
    const deployKey = '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary-deploy-key\n-----END OPENSSH PRIVATE KEY-----\n';
    const source = { git_repo_url: `ssh://git@${host.host}/acme/shop.git`, deploy_key: deployKey };
    const made = await admin.post('/api/v1/services/git', { name: 'with a key', ...source });
    expect(made.status).toBe(202);
    await pushed(hook, aCommit());
    await report();
    expect(host.taken()).toHaveLength(1);
    const dump = await databaseDump(api.database.url);
    expect(dump).toContain(id);
    const shown = await Promise.all(
      [id, made.body.serviceId as string].flatMap((service) =>
        ['', '/source', '/git-settings', '/hook', '/hook-deliveries', '/deployments', '/versions'].map(
          async (path) => (await admin.get(`/api/v1/services/${service}${path}`)).text,
        ),
      ),
    );
    for (const secret of [TOKEN, hook.secret, 'canary-deploy-key'])
      for (const spelling of spellings(secret))
        for (const text of [dump, api.logs(), ...shown]) expect(text.includes(spelling)).toBe(false);
  });
});
