import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spellings } from '../../../support/database-dump.js';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineHost, engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { keepMachineBridge } from '../../../support/docker/own-engine/machine-bridge.js';
import { forgetImages, makeImage } from '../../../support/docker/images.js';
import { REGISTRY_LOGIN, startRegistry, type TestRegistry } from '../../../support/docker/registry.js';
import { deliver, type Hook } from '../../../support/git/hook-delivery.js';
import { SshGitServer } from '../../../support/git/ssh-git-server.js';
import { ProcessList } from '../../../support/processes/process-list.js';
import { SocketClient } from '../../../support/realtime/socket-client.js';
import { PanelInstallation } from '../../../support/services/panel-installation.js';
import type { PanelProcess } from '../../../support/services/panel-process.js';

const BASE = `test-git-canary-${process.pid}`;
const TOKEN = 'canary-of-the-status-token';
const BUILD_SECRET = 'canary-of-a-build-secret';
/** A build step that prints everything it can read. */
const SHOWN = 'RUN --mount=type=secret,id=NPM_TOKEN env; echo "told: $(cat /run/secrets/NPM_TOKEN)"';

describeWithEngine('the secrets of a repository', () => {
  const instance = `git-canary-${process.pid}`;
  let git: SshGitServer;
  let registry: TestRegistry;
  let panel: PanelInstallation;

  /** The steps of BuildKit run in the default network of the machine's engine. */
  let releaseBridge: (() => void) | undefined;

  beforeAll(async () => {
    releaseBridge = await keepMachineBridge();
    await makeImage(`docker.io/${BASE}/shell:1`);
    [git, registry] = await Promise.all([SshGitServer.start(), startRegistry({ refuseAnonymous: true })]);
    panel = await PanelInstallation.start({
      DOCKER_HOST: engineHost(),
      PANEL_INSTANCE: instance,
      GIT_ALLOWED_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'debug',
      BUILD_MEMORY_MB: '128',
      BUILD_FIREWALL: 'off',
      BUILD_BUILDKIT: 'capped',
      HEALTH_GATE_SECONDS: '0.3',
      BUILD_REGISTRY: `${registry.host}/builds`,
      BUILD_REGISTRY_USERNAME: REGISTRY_LOGIN.username,
      BUILD_REGISTRY_PASSWORD: REGISTRY_LOGIN.password,
    });
    await panel.startApi();
  }, 330_000);

  afterAll(async () => {
    await panel?.close();
    await Promise.all([git?.close(), registry?.stop()]);
    releaseBridge?.();
    await engineRequest('DELETE', `/networks/panel-build-${instance}`);
    await forgetImages(BASE);
  }, 60_000);

  const foldersOf = ({ child }: PanelProcess) =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`panel-git-${child.pid}-`));
  const get = async (path: string) => JSON.stringify((await panel.call('GET', path)).body);

  /** Everything that the engine returns about the container and the image of the service. */
  async function onTheEngine(serviceId: string): Promise<string> {
    const { containerIds } = (await panel.call('GET', `/services/${serviceId}`)).body as { containerIds: string[] };
    const container = await engineJson<{ Image: string }>('GET', `/containers/${containerIds[0]}/json`);
    const paths = ['json', 'history', 'get'].map((path) => `/images/${container.Image}/${path}`);
    const answers = await Promise.all(paths.map((path) => engineRequest('GET', path)));
    return [JSON.stringify(container), ...answers.map(({ bytes }) => bytes.toString('latin1'))].join('\n');
  }

  it('are in no log, process list, image, response or event, and in no readable row or file', async () => {
    const source = git.repository('shop');
    source.commit({
      Dockerfile: `FROM ${BASE}/shell:1\nSTOPSIGNAL KILL\n${SHOWN}\nCMD ["sleep", "1000"]\n`,
    });
    const asked = {
      name: 'shop',
      git_repo_url: git.url('shop'),
      deploy_key: git.deployKey,
      known_hosts: git.knownHosts,
      build_secrets: { NPM_TOKEN: BUILD_SECRET },
    };
    const refused = await panel.call('POST', '/services/git', { ...asked, port: 70_000 });
    expect(refused.status).toBe(422);
    const first = await panel.startWorker();
    const socket = await SocketClient.greeted(panel.url, { key: panel.key });
    const processes = new ProcessList();

    // The host does not respond, and the worker is killed while it waits.
    git.pause();
    const { serviceId, deploymentId } = (await panel.call('POST', '/services/git', asked)).body as {
      serviceId: string;
      deploymentId: string;
    };
    await socket.subscribe(`deployment:${deploymentId}`);
    await socket.subscribe(`service:${serviceId}`);
    const [folder] = await eventually(
      () => Promise.resolve(foldersOf(first)),
      (folders) => folders.length > 0 && readdirSync(join(tmpdir(), folders[0]!)).includes('key'),
      20_000,
    );
    const key = join(tmpdir(), folder!, 'key');
    expect([statSync(join(tmpdir(), folder!)).mode & 0o777, statSync(key).mode & 0o777]).toEqual([0o700, 0o600]);
    const [, secret = ''] = readFileSync(key, 'utf8').split('\n');
    expect(git.deployKey).toContain(secret);
    await eventually(
      () => Promise.resolve(processes.saw('GIT_SSH_COMMAND=', folder!)),
      (saw) => saw,
    );
    await first.end('SIGKILL');
    expect(readFileSync(key, 'utf8')).toContain(secret);

    await panel.call('PATCH', `/services/${serviceId}/git-settings`, { statusToken: TOKEN, statusProvider: 'gitea' });
    const hook = (await panel.call('POST', `/services/${serviceId}/hook`)).body as Hook;
    await panel.endLeases();
    git.goOn();
    const second = await panel.startWorker();
    expect(foldersOf(first)).toEqual([]);
    await panel.untilRunning(serviceId);
    expect(foldersOf(second)).toEqual([]);
    const withSecret = await onTheEngine(serviceId);

    const commit = source.commit({ Dockerfile: `FROM ${BASE}/shell:1\nSTOPSIGNAL KILL\nCMD ["sleep", "1001"]\n` });
    const push = { ref: 'refs/heads/main', after: commit, commits: [{ added: [], modified: ['x'], removed: [] }] };
    for (const one of [hook, { ...hook, secret: 'not-the-secret' }]) await deliver(panel.url, 'gitlab', one, push);
    await panel.untilRunning(serviceId);
    const [pushed] = await panel.deployments(serviceId);
    expect(pushed).toMatchObject({ trigger: 'push', status: 'succeeded', commitSha: commit });

    // The worker has the password of the registry in its environment. It must not pass it to git and ssh.
    const isWorker = (text: string) => text.includes('BUILD_REGISTRY_PASSWORD=') && !text.includes('GIT_SSH_COMMAND=');
    const list = processes.end().filter((text) => !isWorker(text));
    const answers = ['', '/source', '/git-settings', '/hook', '/hook-deliveries', '/deployments'];
    const places = new Map([
      ['processes', list.join('\n')],
      ['logs', panel.output()],
      ['database', await panel.dump()],
      ['events', JSON.stringify(socket.messages)],
      ['engine', withSecret + (await onTheEngine(serviceId))],
      ['answers', (await Promise.all(answers.map((path) => get(`/services/${serviceId}${path}`)))).join('\n')],
      ['build logs', (await get(`/deployments/${deploymentId}/log`)) + (await get(`/deployments/${pushed.id}/log`))],
      ['refusal', JSON.stringify(refused.body)],
    ]);
    await socket.close();
    await panel.call('DELETE', `/services/${serviceId}`);
    await eventually(
      async () => (await panel.call('GET', '/services')).body.pagination.total as number,
      (total) => total === 0,
      20_000,
    );
    for (const [name, told] of [
      ['engine', 'sleep'],
      ['events', 'deployment.log'],
      ['build logs', 'Pushed, sha256:'],
      ['database', commit],
      ['build logs', 'told: '],
    ] as const)
      expect(places.get(name)).toContain(told);
    const canaries = { secret, TOKEN, BUILD_SECRET, hook: hook.secret, registry: REGISTRY_LOGIN.password };
    const found = [...places].flatMap(([place, text]) =>
      Object.entries(canaries).flatMap(([name, canary]) =>
        spellings(canary).some((spelling) => text.includes(spelling)) ? [`${name} in ${place}`] : [],
      ),
    );
    expect(found).toEqual([]);
  }, 120_000);
});
