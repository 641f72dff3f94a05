import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE } from '../../../../tools/lib/tests/patience.mjs';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages, makeImage } from '../../../support/docker/images.js';
import { GitServer } from '../../../support/git/git-server.js';
import { deliver, type Hook } from '../../../support/git/hook-delivery.js';
import { pullRequestOf } from '../../../support/git/pull-requests.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

const BASE = `test-git-base-${process.pid}`;
const CANARY = 'canary-of-the-repository-tests';

// Each test waits for several builds and deployments.
jest.setTimeout(180_000);

describeWithEngine('services from repositories', () => {
  let git: GitServer;
  let panel: PanelWithWorker;
  let folder: string;
  const instance = `git-${process.pid}`;

  beforeAll(async () => {
    git = await GitServer.start();
    folder = mkdtempSync(join(tmpdir(), 'test-git-settings-'));
    await makeImage(`docker.io/${BASE}/shell:1`);
    const table = join(folder, 'images.json');
    writeFileSync(table, JSON.stringify({ node: { '22': `docker.io/${BASE}/shell:1` } }));
    const settings = {
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      BUILD_MEMORY_MB: '128',
      BUILD_BASE_IMAGES_FILE: table,
      // The firewall rules for the network of this test would be left behind on the machine.
      BUILD_FIREWALL: 'off',
    };
    panel = await startPanelWithWorker({ instance, settings });
    await panel.startWorker();
  });

  afterAll(async () => {
    await panel.close();
    await git.close();
    await forgetImages(BASE);
    await engineRequest('DELETE', `/networks/panel-build-${instance}`);
    rmSync(folder, { recursive: true, force: true });
  });

  const dockerfile = (text: string) =>
    `FROM ${BASE}/shell:1\nSTOPSIGNAL KILL\nCOPY . /site\nRUN echo ${text} > /site/index.html\nCMD ["httpd","-f","-p","8080","-h","/site"]\n`;

  async function create(name: string, given: Record<string, unknown> = {}) {
    const answer = await panel.admin.post('/api/v1/services/git', { name, git_repo_url: git.url(name), ...given });
    expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('"status":"pending"')]);
    return answer.body as { serviceId: string; deploymentId: string };
  }

  async function pageOf(serviceId: string): Promise<string> {
    const { containerIds } = (await panel.admin.get(`/api/v1/services/${serviceId}`)).body as {
      containerIds: string[];
    };
    const made = await engineJson<{ Id: string }>('POST', `/containers/${containerIds[0]}/exec`, {
      AttachStdout: true,
      Cmd: ['wget', '-q', '-O', '-', 'http://127.0.0.1:8080/'],
    });
    const answer = await engineRequest('POST', `/exec/${made.Id}/start`, { body: { Detach: false, Tty: true } });
    return answer.text.trim();
  }

  const pushOf = (commit: string, branch: string, path: string) => ({
    ref: `refs/heads/${branch}`,
    after: commit,
    commits: [{ added: [], modified: [path], removed: [] }],
  });

  it('are built from their Dockerfile, run, and can be deployed by ref, redeployed and rolled back', async () => {
    const repository = git.repository('shop');
    const first = repository.commit({
      Dockerfile: dockerfile('one'),
      '.dockerignore': 'secret.txt\n',
      'secret.txt': CANARY,
    });
    const { serviceId, deploymentId } = await create('shop', { variables: { GREETING: 'hello $HOME' } });
    await panel.until(serviceId, 'running', 'error');
    const deployment = await panel.untilOver(serviceId);
    expect(deployment).toMatchObject({ id: deploymentId, status: 'succeeded', trigger: 'git', commitSha: first });
    expect(deployment.steps.map(({ name }: { name: string }) => name)).toEqual([
      ...['validate', 'quota', 'clone', 'build', 'label_check', 'commit'],
      ...['create', 'start', 'health_gate', 'route', 'retire', 'finish'],
    ]);
    expect(await pageOf(serviceId)).toBe('one');
    const { body: row } = await panel.admin.get(`/api/v1/services/${serviceId}`);
    expect(row).toMatchObject({ deploymentType: 'git', status: 'running' });

    const second = repository.commit({ Dockerfile: dockerfile('two') });
    // A redeployment uses the deployed commit.
    await panel.admin.post(`/api/v1/services/${serviceId}/redeploy`);
    expect(await panel.untilOver(serviceId)).toMatchObject({
      trigger: 'redeploy',
      status: 'succeeded',
      commitSha: first,
    });
    expect(await pageOf(serviceId)).toBe('one');
    const { status } = await panel.admin.post(`/api/v1/services/${serviceId}/deploy`, {});
    expect(status).toBe(202);
    expect(await panel.untilOver(serviceId)).toMatchObject({ trigger: 'git', status: 'succeeded', commitSha: second });
    expect(await pageOf(serviceId)).toBe('two');
    // A rollback builds nothing.
    await panel.admin.post(`/api/v1/services/${serviceId}/rollback`, { deploymentId });
    const back = await panel.untilOver(serviceId);
    expect(back).toMatchObject({ trigger: 'rollback', status: 'succeeded' });
    expect(back.steps.map(({ name }: { name: string }) => name)).not.toContain('build');
    expect(await pageOf(serviceId)).toBe('one');
    await panel.admin.post(`/api/v1/services/${serviceId}/deploy`, { ref: second });
    expect(await panel.untilOver(serviceId)).toMatchObject({ status: 'succeeded', commitSha: second });
  });

  it('keep their last five images, and the deployed one even if it is older', async () => {
    const repository = git.repository('often');
    repository.commit({ Dockerfile: dockerfile('1') });
    const { serviceId } = await create('often');
    const deployments = [await panel.untilOver(serviceId)];
    const deploy = async (text: string) => {
      repository.commit({ Dockerfile: text });
      await panel.admin.post(`/api/v1/services/${serviceId}/deploy`, {});
      return panel.untilOver(serviceId);
    };
    for (const text of ['2', '3', '4', '5', '6']) deployments.push(await deploy(dockerfile(text)));
    const tags = async () => {
      const all = await engineJson<{ RepoTags: string[] | null }[]>('GET', '/images/json');
      return all.flatMap(({ RepoTags }) => RepoTags ?? []).filter((tag) => tag.includes(serviceId));
    };
    expect(await tags()).toHaveLength(5);
    await panel.admin.post(`/api/v1/services/${serviceId}/rollback`, { deploymentId: deployments[1]!.id });
    expect(await panel.untilOver(serviceId)).toMatchObject({ trigger: 'rollback', status: 'succeeded' });
    expect((await deploy(`FROM ${BASE}/shell:1\nCMD ["/missing"]`)).status).toBe('failed');
    const stepNames = async () => {
      expect((await panel.admin.post(`/api/v1/services/${serviceId}/redeploy`)).status).toBe(202);
      const { errorMessage, steps } = await panel.untilOver(serviceId);
      expect(errorMessage).toBeNull();
      return steps.map(({ name }: { name: string }) => name) as string[];
    };
    expect([...(await stepNames()), ...(await stepNames())]).not.toContain('build');
    expect([await pageOf(serviceId), (await tags()).length]).toEqual(['2', 6]);
  });

  it('without a Dockerfile are built with a generated one', async () => {
    git.repository('plain-node').commit({
      'package.json': JSON.stringify({ scripts: { start: 'httpd -f -p 8080 -h /app' } }),
      Procfile: 'web: httpd -f -p $PORT -h /app\n',
      'index.html': 'made by detection\n',
    });
    const { serviceId } = await create('plain-node');
    await panel.until(serviceId, 'running', 'error');
    expect(await panel.untilOver(serviceId)).toMatchObject({ status: 'succeeded' });
    expect(await pageOf(serviceId)).toBe('made by detection');
  });

  it('stay unchanged if a clone or a build fails', async () => {
    const repository = git.repository('fragile');
    const good = repository.commit({ Dockerfile: dockerfile('good') });
    const { serviceId } = await create('fragile');
    await panel.until(serviceId, 'running');
    await panel.untilOver(serviceId);
    repository.commit({ Dockerfile: `FROM ${BASE}/shell:1\nRUN echo about to fail; exit 3\n` });
    await panel.admin.post(`/api/v1/services/${serviceId}/deploy`, {});
    const failed = await panel.untilOver(serviceId);
    expect(failed).toMatchObject({
      status: 'failed',
      errorMessage: 'build_failed: "echo about to fail; exit 3" ended with 3. See the log.',
    });
    await panel.admin.post(`/api/v1/services/${serviceId}/deploy`, { ref: 'nowhere' });
    expect(await panel.untilOver(serviceId)).toMatchObject({
      status: 'failed',
      errorMessage: 'clone_failed: The repository has no branch or tag nowhere.',
    });
    expect((await panel.admin.get(`/api/v1/services/${serviceId}`)).body).toMatchObject({ status: 'running' });
    expect(await pageOf(serviceId)).toBe('good');
    expect(good).toMatch(/^[0-9a-f]{40}$/);
  });

  it('cannot use images of others or of private registries, or their own frontend', async () => {
    const repository = git.repository('greedy');
    repository.commit({ Dockerfile: 'FROM 127.0.0.1:5000/private\n' });
    const { serviceId } = await create('greedy');
    expect(await panel.untilOver(serviceId)).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringMatching(
        /^build_failed: Dockerfile:1: The image 127.0.0.1:5000\/private is not allowed/,
      ),
    });
    repository.commit({ Dockerfile: '# syntax=evil.example/frontend\nFROM scratch\n' });
    await panel.admin.post(`/api/v1/services/${serviceId}/deploy`, {});
    expect((await panel.untilOver(serviceId)).errorMessage).toMatch(/^build_failed: .*evil.example\/frontend/);
  });

  it('stop building within a second after a cancellation', async () => {
    git.repository('sleepy').commit({ Dockerfile: `FROM ${BASE}/shell:1\nRUN echo asleep; sleep 77\n` });
    const { serviceId, deploymentId } = await create('sleepy');
    for (let running = false; !running;) {
      const found = await engineJson<{ Command: string }[]>('GET', '/containers/json');
      running = found.some(({ Command }) => Command.includes('sleep 77'));
    }
    const since = Date.now();
    await panel.admin.post(`/api/v1/deployments/${deploymentId}/cancel`);
    expect(await panel.untilOver(serviceId)).toMatchObject({ status: 'cancelled' });
    expect(Date.now() - since).toBeLessThan(3_000 * PATIENCE);
    const left = () => engineJson<{ Command: string }[]>('GET', '/containers/json?all=1');
    await eventually(left, (found) => !found.some(({ Command }) => Command.includes('sleep 77')));
  });

  it('are deployed by a push, once per commit, however often it is delivered', async () => {
    const repository = git.repository('pushed');
    repository.commit({ Dockerfile: dockerfile('before') });
    const { serviceId } = await create('pushed', { watch_paths: ['src/**', 'Dockerfile'] });
    await panel.until(serviceId, 'running');
    await panel.untilOver(serviceId);
    const made = await panel.admin.post(`/api/v1/services/${serviceId}/hook`);
    expect(made.status).toBe(201);
    const hook = made.body as Hook;
    const github = (to: Hook, payload: object, event?: string) => deliver(panel.api.url, 'github', to, payload, event);
    expect((await panel.admin.get(`/api/v1/services/${serviceId}/hook`)).text).not.toContain(hook.secret);
    const commit = repository.commit({ Dockerfile: dockerfile('after') });
    const push = pushOf(commit, 'main', 'Dockerfile');
    expect((await github({ ...hook, secret: 'wrong' }, push)).status).toBe(401);
    expect((await github({ ...hook, url: hook.url.replace(/.$/, '') }, push)).status).toBe(404);
    expect((await github(hook, { zen: 'ping' }, 'ping')).status).toBe(204);
    const other = await github(hook, pushOf(commit, 'other', 'Dockerfile'));
    expect(other).toEqual({ status: 202, body: { outcome: 'ignored', deploymentId: null } });
    expect((await github(hook, pushOf(commit, 'main', 'README.md'))).body.outcome).toBe('ignored');
    const answers = await Promise.all(Array.from({ length: 10 }, () => github(hook, push)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202));
    expect(answers.filter(({ body }) => body.outcome === 'deployed')).toHaveLength(1);
    expect(await panel.untilOver(serviceId)).toMatchObject({ trigger: 'push', status: 'succeeded', commitSha: commit });
    expect(await pageOf(serviceId)).toBe('after');
    const { body: listed } = await panel.admin.get(`/api/v1/services/${serviceId}/hook-deliveries`);
    const outcomes = (listed as { data: { outcome: string }[] }).data.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'deployed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'ignored')).toHaveLength(2);
    const later = repository.commit({ Dockerfile: dockerfile('by gitlab') });
    const gitlab = await deliver(panel.api.url, 'gitlab', hook, pushOf(later, 'main', 'Dockerfile'));
    expect(gitlab.status).toBe(202);
    expect(await panel.untilOver(serviceId)).toMatchObject({ trigger: 'push', commitSha: later });
  });

  it('have previews, which leave nothing behind when the pull request is closed or the service removed', async () => {
    const repository = git.repository('previewed');
    repository.commit({ Dockerfile: dockerfile('main') });
    const { serviceId } = await create('previewed', { volumes: [{ name: 'data', path: '/data' }] });
    repository.git('checkout', '--quiet', '-b', 'feature');
    const commit = repository.commit({ Dockerfile: dockerfile('feature') });
    await panel.until(serviceId, 'running');
    const hook = (await panel.admin.post(`/api/v1/services/${serviceId}/hook`)).body as Hook;
    await panel.admin.patch(`/api/v1/services/${serviceId}/git-settings`, { previewsEnabled: true });
    const told = async (change: 'opened' | 'closed', number: number) => {
      const { event, payload } = pullRequestOf('github', change, { number, commit });
      return (await deliver(panel.api.url, 'github', hook, payload, event)).body.outcome as string;
    };
    const previewOf = async (number: number) => {
      const { data } = (await panel.admin.get('/api/v1/services?pageSize=100')).body as { data: any[] };
      return data.find(({ preview }) => preview?.pullRequest === number).id as string;
    };
    const traces = async (id: string) => {
      const paths = ['/containers/json?all=1', '/volumes', '/networks', '/images/json?all=1'];
      const answers = await Promise.all(paths.map((path) => engineRequest('GET', path)));
      return answers.filter(({ text }) => text.includes(id)).length;
    };
    expect(await told('opened', 1)).toBe('deployed');
    const first = await previewOf(1);
    await panel.until(first, 'running', 'error');
    expect(await panel.untilOver(first)).toMatchObject({ trigger: 'push', status: 'succeeded', commitSha: commit });
    expect(await pageOf(first)).toBe('feature');
    expect(await pageOf(serviceId)).toBe('main');
    expect(await traces(first)).toBeGreaterThan(2);
    expect(await told('closed', 1)).toBe('removed');
    await panel.until(first, 'gone');
    expect(await traces(first)).toBe(0);
    expect(await told('opened', 2)).toBe('deployed');
    const second = await previewOf(2);
    expect((await panel.admin.delete(`/api/v1/services/${serviceId}`)).status).toBe(202);
    await panel.until(second, 'gone');
    expect(await traces(second)).toBe(0);
  });

  it('reveal no secrets in logs, responses and images', () => {
    expect(panel.logs()).not.toContain(CANARY);
  });
});
