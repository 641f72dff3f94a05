import { readdirSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineHost, engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages, makeImage } from '../../../support/docker/images.js';
import { startRegistry, type TestRegistry } from '../../../support/docker/registry.js';
import { GitServer } from '../../../support/git/git-server.js';
import { PanelInstallation } from '../../../support/services/panel-installation.js';
import type { PanelProcess } from '../../../support/services/panel-process.js';

const BASE = `test-git-killed-${process.pid}`;
const MARK = `killed-${process.pid}`;

/** A proxy for a registry that holds all requests until it is opened. */
class Turnstile {
  readonly #held = new Set<Socket>();
  #isOpen = false;
  readonly #server: Server;
  readonly listening: Promise<unknown>;

  constructor(private readonly to: string) {
    this.#server = createServer((socket) => {
      socket.on('error', () => undefined).on('close', () => this.#held.delete(socket));
      if (this.#isOpen) this.#lead(socket);
      else this.#held.add(socket);
    }).listen(0, '127.0.0.1');
    this.listening = once(this.#server, 'listening');
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get waiting(): number {
    return this.#held.size;
  }

  open(): void {
    this.#isOpen = true;
    for (const socket of this.#held) this.#lead(socket);
  }

  async close(): Promise<void> {
    for (const socket of this.#held) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #lead(socket: Socket): void {
    const [host, port] = this.to.split(':');
    const other = connect(Number(port), host);
    other.on('error', () => socket.destroy());
    socket.pipe(other).pipe(socket);
  }
}

describeWithEngine('a worker that is killed', () => {
  const instance = `git-killed-${process.pid}`;
  let git: GitServer;
  let registry: TestRegistry;
  let turnstile: Turnstile;
  let panel: PanelInstallation;

  beforeAll(async () => {
    await makeImage(`docker.io/${BASE}/shell:1`);
    [git, registry] = await Promise.all([GitServer.start(), startRegistry()]);
    turnstile = new Turnstile(registry.host);
    await turnstile.listening;
    panel = await PanelInstallation.start({
      DOCKER_HOST: engineHost(),
      PANEL_INSTANCE: instance,
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      BUILD_REGISTRY: `${turnstile.host}/builds`,
      BUILD_MEMORY_MB: '128',
      BUILD_FIREWALL: 'off',
      HEALTH_GATE_SECONDS: '0.3',
    });
    await panel.startApi();
  }, 90_000);

  afterAll(async () => {
    await panel?.close();
    await Promise.all([git?.close(), registry?.stop(), turnstile?.close()]);
    await engineRequest('DELETE', `/networks/panel-build-${instance}`);
    await forgetImages(BASE);
  }, 60_000);

  async function create(name: string, path = name): Promise<{ serviceId: string; deploymentId: string }> {
    const { status, body } = await panel.call('POST', '/services/git', { name, git_repo_url: git.url(path) });
    expect([status, body]).toEqual([202, expect.objectContaining({ status: 'pending' })]);
    return body as { serviceId: string; deploymentId: string };
  }

  const foldersOf = ({ child }: PanelProcess) =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`panel-git-${child.pid}-`));
  const steps = async () =>
    (await engineJson<{ Command: string }[]>('GET', '/containers/json?all=1')).filter(({ Command }) =>
      Command.includes(MARK),
    );

  it('while it clones, builds or pushes leaves nothing behind, and the next worker finishes its work', async () => {
    git.repository('shop').commit({
      Dockerfile: `FROM ${BASE}/shell:1\nRUN : ${MARK}; sleep 2; echo done > /done\nCMD ["sleep", "1000"]\n`,
    });
    const first = await panel.startWorker();
    const cloning = await create('cloning', 'hang/for-ever.git');
    const { serviceId, deploymentId } = await create('shop');
    await eventually(
      () => Promise.resolve(foldersOf(first)),
      (folders) => folders.length >= 1,
      20_000,
    );
    await eventually(steps, (running) => running.length === 1, 20_000);
    await first.end('SIGKILL');
    // The engine aborts a build when its client disconnects.
    await eventually(steps, (running) => running.length === 0, 10_000);
    expect(foldersOf(first).length).toBeGreaterThan(0);

    await panel.endLeases();
    const second = await panel.startWorker();
    expect(foldersOf(first)).toEqual([]);
    await eventually(
      () => Promise.resolve(turnstile.waiting),
      (waiting) => waiting > 0,
      40_000,
    );
    await second.end('SIGKILL');

    turnstile.open();
    await panel.endLeases();
    const third = await panel.startWorker();
    expect(foldersOf(second)).toEqual([]);
    await panel.untilRunning(serviceId);
    const [deployment] = await panel.deployments(serviceId);
    expect(deployment).toMatchObject({ id: deploymentId, status: 'succeeded', trigger: 'git' });
    expect((await panel.call('POST', `/deployments/${cloning.deploymentId}/cancel`)).status).toBe(202);
    await eventually(
      () => panel.deployments(cloning.serviceId),
      ([newest]) => newest.status === 'cancelled',
      20_000,
    );
    expect(foldersOf(third)).toEqual([]);

    for (const id of [serviceId, cloning.serviceId]) await panel.call('DELETE', `/services/${id}`);
    await eventually(
      async () => (await panel.call('GET', '/services')).body.pagination.total as number,
      (total) => total === 0,
      20_000,
    );
    const images = await engineRequest('GET', '/images/json?all=1');
    expect(images.text).not.toContain(serviceId);
    expect(await steps()).toEqual([]);
  }, 150_000);
});
