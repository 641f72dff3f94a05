import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import { deliver as deliverTo, type Hook, type Host } from '../../../support/git/hook-delivery.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

/** No worker runs, so accepted deployments stay queued and tests can see which ones are superseded. */
describe('push hooks', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;
  let sql: pg.Client;
  let number = 0;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock', LOG_LEVEL: 'debug' } });
    admin = api.as(await anAdminKey(api.app));
    sql = new pg.Client({ connectionString: api.database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql?.end();
    await api?.close();
  });

  const aCommit = () => randomBytes(20).toString('hex');

  async function aService(given: Record<string, unknown> = {}): Promise<{ readonly id: string; readonly hook: Hook }> {
    number += 1;
    const request = { name: `shop-${number}`, git_repo_url: 'https://git.example.com/acme/shop.git', ...given };
    const { body } = await admin.post('/api/v1/services/git', request);
    const made = await admin.post(`/api/v1/services/${body.serviceId}/hook`);
    await deployedOnce(body.serviceId as string);
    return { id: body.serviceId as string, hook: made.body as Hook };
  }

  /** Simulates that a worker has completed the first deployment. */
  async function deployedOnce(id: string): Promise<void> {
    const over = "status = 'succeeded', started_at = created_at, finished_at = created_at";
    await sql.query(`update services.deployments set ${over} where service_id = $1`, [id]);
    await sql.query("update services.services set status = 'running', settled_status = 'running' where id = $1", [id]);
  }

  const pushed = (commit: string, branch = 'main', paths: readonly string[] = ['index.html']) => ({
    ref: `refs/heads/${branch}`,
    before: '0'.repeat(40),
    after: commit,
    checkout_sha: commit,
    commits: [{ id: commit, added: [], modified: paths, removed: [] }],
    total_commits_count: 1,
  });
  const pushedToBitbucket = (commit: string, name = 'main') => ({
    push: {
      changes: [
        { old: null, new: { type: 'branch', name, target: { type: 'commit', hash: commit } }, closed: false },
        { old: null, new: { type: 'tag', name: 'v1', target: { type: 'commit', hash: commit } }, closed: false },
      ],
    },
  });

  const deliver = (host: Host, hook: Hook, payload: object, event?: string) =>
    deliverTo(api.url, host, hook, payload, event);

  const deploymentsOf = async (id: string) =>
    (await admin.get(`/api/v1/services/${id}/deployments?pageSize=100`)).body.data as any[];
  const deliveriesOf = async (id: string) =>
    (await admin.get(`/api/v1/services/${id}/hook-deliveries`)).body.data as any[];

  it.each(['github', 'gitea', 'gitlab', 'bitbucket'] as const)(
    'accept signed deliveries of %s, and no others',
    async (host) => {
      const { id, hook } = await aService();
      const push = host === 'bitbucket' ? pushedToBitbucket : pushed;
      expect((await deliver(host, { ...hook, secret: 'wrong' }, push(aCommit()))).status).toBe(401);
      const commit = aCommit();
      expect(await deliver(host, hook, push(commit))).toEqual({
        status: 202,
        body: { outcome: 'deployed', deploymentId: expect.any(String) },
      });
      expect((await deliver(host, hook, push(commit))).body).toEqual({ outcome: 'duplicate', deploymentId: null });
      expect((await deliver(host, hook, push(aCommit(), 'other'))).body).toEqual({
        outcome: 'ignored',
        deploymentId: null,
      });
      expect(await deliveriesOf(id)).toEqual([
        expect.objectContaining({
          provider: host,
          outcome: 'ignored',
          message: 'The service follows the branch main.',
        }),
        expect.objectContaining({ provider: host, outcome: 'duplicate', commitSha: commit }),
        expect.objectContaining({ provider: host, outcome: 'deployed', commitSha: commit, ref: 'main' }),
      ]);
    },
  );

  it('record a deleted branch, and ignore tags and pings', async () => {
    const { hook } = await aService();
    const gone = { ...pushed('0'.repeat(40)), deleted: true };
    expect((await deliver('github', hook, gone)).body).toEqual({ outcome: 'ignored', deploymentId: null });
    const closed = { push: { changes: [{ old: { type: 'branch', name: 'main' }, new: null, closed: true }] } };
    expect((await deliver('bitbucket', hook, closed)).body).toEqual({ outcome: 'ignored', deploymentId: null });
    const tag = { ...pushed(aCommit()), ref: 'refs/tags/v1' };
    expect((await deliver('gitea', hook, tag)).status).toBe(204);
    expect((await deliver('github', hook, { zen: 'Keep it logically awesome.' }, 'ping')).status).toBe(204);
    expect((await deliver('bitbucket', hook, { test: true }, 'diagnostics:ping')).status).toBe(204);
  });

  it('deploy the newest of many pushes and supersede the older ones', async () => {
    const { id, hook } = await aService();
    let last = '';
    for (let count = 0; count < 30; count += 1) {
      last = aCommit();
      expect((await deliver('github', hook, pushed(last))).status).toBe(202);
    }
    const deployments = await deploymentsOf(id);
    expect(deployments.filter(({ status }) => status === 'queued')).toHaveLength(1);
    expect(deployments[0]).toMatchObject({ status: 'queued', trigger: 'push' });
    expect(deployments.filter(({ status }) => status === 'superseded')).toHaveLength(29);
    expect((await deliveriesOf(id))[0]).toMatchObject({ commitSha: last, deploymentId: deployments[0].id });
  });

  it('get a new secret when they are created again, at the same URL', async () => {
    const { id, hook } = await aService();
    const again = (await admin.post(`/api/v1/services/${id}/hook`)).body as Hook;
    expect(again.url).toBe(hook.url);
    expect(again.secret).not.toBe(hook.secret);
    for (const host of ['github', 'gitlab'] as const)
      expect((await deliver(host, hook, pushed(aCommit()))).status).toBe(401);
    expect((await deliver('github', again, pushed(aCommit()))).status).toBe(202);
    expect((await admin.delete(`/api/v1/services/${id}/hook`)).status).toBe(204);
    expect((await deliver('github', again, pushed(aCommit()))).status).toBe(404);
    expect(api.logs()).not.toContain(again.secret);
  });

  it('can deliver an earlier delivery again', async () => {
    const { id, hook } = await aService({ watch_paths: ['src/**'] });
    const commit = aCommit();
    const redeliver = (delivery: string) => admin.post(`/api/v1/services/${id}/hook-deliveries/${delivery}/redeliver`);
    expect((await deliver('github', hook, pushed(commit, 'main', ['README.md']))).body.outcome).toBe('ignored');
    const [unwatched] = await deliveriesOf(id);
    const first = await redeliver(unwatched.id);
    expect([first.status, first.body]).toEqual([202, { outcome: 'deployed', deploymentId: expect.any(String) }]);
    expect((await deliveriesOf(id))[0]).toMatchObject({
      commitSha: commit,
      outcome: 'deployed',
      redeliveryOf: unwatched.id,
      deploymentId: first.body.deploymentId,
    });
    // By hand, a commit can be deployed a second time. A repeated delivery of the host cannot do that.
    const later = aCommit();
    expect((await deliver('github', hook, pushed(later, 'main', ['src/a']))).body.outcome).toBe('deployed');
    const [deployed] = await deliveriesOf(id);
    expect((await redeliver(deployed.id)).body.outcome).toBe('deployed');
    expect((await deliver('github', hook, pushed(later, 'main', ['src/a']))).body.outcome).toBe('duplicate');
    const other = await aService();
    for (const path of [`${id}/hook-deliveries/${id}`, `${other.id}/hook-deliveries/${deployed.id}`])
      expect((await admin.post(`/api/v1/services/${path}/redeliver`)).status).toBe(404);
  });

  it('follow a change of the branch immediately', async () => {
    const { id, hook } = await aService();
    const { status, body } = await admin.patch(`/api/v1/services/${id}`, {
      git_branch: 'next',
      watch_paths: ['src/**'],
    });
    expect([status, body]).toEqual([202, expect.objectContaining({ serviceId: id, deploymentId: expect.any(String) })]);
    expect((await deliver('github', hook, pushed(aCommit()))).body.outcome).toBe('ignored');
    expect((await deliver('github', hook, pushed(aCommit(), 'next'))).body.outcome).toBe('ignored');
    expect((await deliver('github', hook, pushed(aCommit(), 'next', ['src/a']))).body.outcome).toBe('deployed');
  });

  it('keep working while PATCH changes single fields of the source', async () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary-of-the-hooks\n-----END OPENSSH PRIVATE KEY-----\n';
    const { id } = await aService({
      git_repo_url: 'ssh://git@git.example.com/acme/shop.git',
      deploy_key: key,
      base_directory: 'web',
      build_args: { A: '1' },
      variables: { LEVEL: 'info' },
      volumes: [{ name: 'data', path: '/data' }],
    });
    const source = async () => (await admin.get(`/api/v1/services/${id}/source`)).body;
    const before = await source();
    expect(before.git).toEqual({
      git_repo_url: 'ssh://git@git.example.com/acme/shop.git',
      git_branch: 'main',
      build_method: 'auto',
      port: 8080,
      has_deploy_key: true,
      known_hosts: null,
      dockerfile_path: null,
      base_directory: 'web',
      watch_paths: [],
      build_args: { A: '1' },
      build_secret_names: [],
      volumes: [{ name: 'data', path: '/data' }],
    });
    const change = {
      port: 3000,
      dockerfile_path: 'docker/Dockerfile',
      base_directory: null,
      build_args: { B: '2' },
      volumes: [],
      variables: { LEVEL: null, COLOUR: 'blue' },
      build_method: 'dockerfile',
    };
    expect((await admin.patch(`/api/v1/services/${id}`, change)).status).toBe(202);
    const after = await source();
    expect(after.git).toEqual({
      ...before.git,
      port: 3000,
      dockerfile_path: 'docker/Dockerfile',
      base_directory: '',
      build_args: { B: '2' },
      volumes: [],
      build_method: 'dockerfile',
    });
    expect([after.version, Object.keys(after.variables)]).toEqual([before.version + 1, ['COLOUR']]);
    expect(JSON.parse(after.composeYaml).services.app).toMatchObject({
      environment: { PORT: '3000', COLOUR: '${COLOUR}' },
      expose: ['3000'],
    });
    const refused = async (body: object) => {
      const answer = await admin.patch(`/api/v1/services/${id}`, body);
      return [answer.status, answer.body.error.details.map(({ path }: { path: string }) => path)];
    };
    expect(await refused({ git_repo_url: 'https://git.example.com/a/b' })).toEqual([422, ['/deploy_key']]);
    expect(await refused({ git_repo_url: null })).toEqual([422, ['/git_repo_url']]);
    expect(await refused({ git_branch: '--x', base_directory: '../etc', port: 0 })).toEqual([
      422,
      expect.arrayContaining(['/git_branch', '/base_directory', '/port']),
    ]);
    expect((await source()).git).toEqual(after.git);
    expect(api.logs()).not.toContain('canary-of-the-hooks');
    const compose = await admin.post('/api/v1/services', {
      name: 'not from a repository',
      composeYaml: 'services:\n  web:\n    image: nginx:1.27\n',
    });
    const answer = await admin.patch(`/api/v1/services/${compose.body.serviceId}`, { git_branch: 'next' });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_state']);
  });
});
