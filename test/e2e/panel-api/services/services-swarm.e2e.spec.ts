import { cli } from '../../../support/processes/cli.js';
import { runIn } from '../../../support/docker/docker-runtime-bed.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { publishImage } from '../../../support/docker/images.js';
import { ownEngineDefect } from '../../../support/docker/own-engine/own-engine.js';
import { startRegistry, type TestRegistry } from '../../../support/docker/registry.js';
import { SwarmEngine } from '../../../support/docker/own-engine/swarm-engine.js';
import { askCaddy } from '../../../support/ingress/caddy-client.js';
import { CaddyServer } from '../../../support/ingress/caddy.js';
import { PanelInstallation } from '../../../support/services/panel-installation.js';
import type { PanelProcess } from '../../../support/services/panel-process.js';

interface Task {
  readonly ServiceID: string;
  readonly Status: { readonly State: string; readonly ContainerStatus?: { readonly ContainerID: string } };
  readonly Spec: { readonly ContainerSpec: { readonly Labels: Readonly<Record<string, string>> } };
}

const defect = ownEngineDefect();
if (defect !== null && process.env.CI !== 'true') process.stderr.write(`skipped: services of a swarm: ${defect}\n`);
const describeWithSwarm = defect === null || process.env.CI === 'true' ? describe : describe.skip;

describeWithSwarm('services of a swarm', () => {
  let swarm: SwarmEngine;
  let registry: TestRegistry;
  let caddy: CaddyServer;
  let panel: PanelInstallation;
  let worker: PanelProcess;
  let id: string;

  const group = () => `
services:
  db:
    image: '${registry.host}/acme/db:1'
    init: true
    volumes: ['data:/data']
    secrets: [{source: password, target: /run/secrets/password, mode: 0444}]
    healthcheck: {test: ['CMD', 'true'], interval: 1s}
  web:
    image: '${registry.host}/acme/web:1'
    init: true
    command: ['httpd', '-f', '-p', '8080']
    depends_on: {db: {condition: service_healthy}}
volumes: {data: {}}
secrets: {password: {content: 'open sesame'}}
`;

  beforeAll(async () => {
    swarm = await SwarmEngine.start();
    process.env.DOCKER_HOST = swarm.host;
    [registry, caddy] = await Promise.all([startRegistry(), CaddyServer.start()]);
    for (const name of ['db', 'web']) await publishImage(`${registry.host}/acme/${name}:1`);
    panel = await PanelInstallation.start({
      DOCKER_HOST: swarm.host,
      RUNTIME: 'swarm',
      SERVICES_REGISTRIES: registry.host,
      HEALTH_GATE_SECONDS: '0.5',
      BASE_DOMAIN: 'apps.test',
      ...caddy.settings,
    });
    [, worker] = await Promise.all([panel.startApi(), panel.startWorker({ RUNTIME: 'engine' })]);
  }, 300_000);

  afterAll(async () => {
    await panel?.close();
    await caddy?.remove();
    await registry?.stop();
    await swarm?.remove();
  }, 240_000);

  const named = (kind: string) =>
    engineJson<{ readonly Spec?: { readonly Name: string }; readonly Name?: string }[]>('GET', `/${kind}`);

  const tasks = async (): Promise<readonly Task[]> => {
    const filters = encodeURIComponent(
      JSON.stringify({ label: [`panel.service=${id}`], 'desired-state': ['running'] }),
    );
    return engineJson<Task[]>('GET', `/tasks?filters=${filters}`);
  };

  /** The containers of the running tasks, by role. */
  const containers = async (): Promise<ReadonlyMap<string, string>> => {
    const running = (await tasks()).filter(({ Status }) => Status.State === 'running');
    return new Map(
      running.map(({ Spec, Status }) => [
        Spec.ContainerSpec.Labels['panel.role']!,
        Status.ContainerStatus!.ContainerID,
      ]),
    );
  };

  async function isWhole(): Promise<ReadonlyMap<string, string>> {
    await panel.untilRunning(id);
    const found = await eventually(containers, ({ size }) => size === 2);
    expect([...found.keys()].sort()).toEqual(['db', 'web']);
    expect(await engineJson<unknown[]>('GET', '/services')).toHaveLength(2);
    return found;
  }

  const act = async (method: string, path: string, body?: object) => {
    const answer = await panel.call(method, `/services/${id}${path}`, body);
    expect(answer).toMatchObject({ status: 202 });
  };

  const inside = async (role: string, command: string) => {
    // A swarm that has just started replaces its tasks again, and reports tasks as running for a while after their end.
    const ask = async () => {
      const container = (await containers()).get(role);
      return container ? runIn(container, ['sh', '-c', command]).catch(() => null) : null;
    };
    return (await eventually(ask, (answer) => answer?.exitCode === 0, 30_000))!.output;
  };

  it('replace services that ran on the engine without a swarm, and keep their data', async () => {
    id = await panel.create('two containers', group());
    await panel.untilRunning(id);
    const owned = `filters=${encodeURIComponent(JSON.stringify({ label: [`panel.service=${id}`] }))}`;
    const before = await engineJson<{ Id: string; Names: string[] }[]>('GET', `/containers/json?${owned}`);
    expect(before).toHaveLength(2);
    await runIn(before.find(({ Names }) => Names[0]!.endsWith('_db'))!.Id, ['sh', '-c', 'echo kept > /data/file']);
    await worker.end();
    for (const { Id } of before) await engineRequest('DELETE', `/containers/${Id}?force=1&v=1`);
    for (const { Id } of await engineJson<{ Id: string }[]>('GET', `/networks?${owned}`))
      await engineRequest('DELETE', `/networks/${Id}`);
    worker = await panel.startWorker();
    await eventually(containers, ({ size }) => size === 2, 30_000);
    await isWhole();
    expect(await inside('db', 'cat /data/file')).toBe('kept\n');
  }, 240_000);

  it('have a network, a secret and images that every node can pull', async () => {
    expect(await inside('db', 'cat /run/secrets/password')).toBe('open sesame');
    await eventually(
      () => inside('web', 'nc -w 2 web 8080 </dev/null && echo reached'),
      (text) => text === 'reached\n',
    );
    const services = await engineJson<{ Spec: { TaskTemplate: { ContainerSpec: { Image: string } } } }[]>(
      'GET',
      '/services',
    );
    for (const { Spec } of services) expect(Spec.TaskTemplate.ContainerSpec.Image).toMatch(/\/acme\/(db|web)@sha256:/);
  });

  it('are reachable by their domain through a Caddy on the node, even after a redeployment', async () => {
    const domain = { host: 'web.apps.test', targetService: 'web', targetPort: 8080 };
    expect((await panel.call('POST', `/services/${id}/domains`, domain)).status).toBe(201);
    const untilAnswered = () =>
      eventually(
        () => askCaddy(caddy, 'web.apps.test').then(({ text }) => text, String),
        (text) => text === 'hello\n',
        30_000,
      );
    await untilAnswered();
    await act('POST', '/redeploy');
    await isWhole();
    await untilAnswered();
  }, 120_000);

  it('are redeployed, stopped, started and rolled back, and keep their volume', async () => {
    const first = await containers();
    await act('POST', '/redeploy');
    const second = await isWhole();
    for (const role of ['db', 'web']) expect(second.get(role)).not.toBe(first.get(role));
    await act('POST', '/stop');
    await eventually(tasks, ({ length }) => length === 0, 30_000);
    await eventually(
      async () => (await panel.call('GET', `/services/${id}`)).body.status as string,
      (status) => status === 'stopped',
    );
    await act('POST', '/start');
    await isWhole();
    const created = (await panel.deployments(id)).find(({ trigger }) => trigger === 'create');
    await act('POST', '/rollback', { deploymentId: created.id });
    await isWhole();
    expect(await inside('db', 'cat /data/file /run/secrets/password')).toBe('kept\nopen sesame');
    for (const { status } of await panel.deployments(id)) expect(status).toBe('succeeded');
  }, 240_000);

  it('are restored after a failure, even if the engine itself was killed', async () => {
    const [web] = (await tasks()).filter(({ Spec }) => Spec.ContainerSpec.Labels['panel.role'] === 'web');
    await engineJson('DELETE', `/services/${web!.ServiceID}`).catch(() => undefined);
    await eventually(
      async () => (await panel.deployments(id))[0].trigger as string,
      (trigger) => trigger === 'reconcile',
      30_000,
    );
    await isWhole();
    await swarm.engine.kill();
    await swarm.engine.rise();
    await eventually(
      () => isWhole().catch(() => null),
      (whole) => whole !== null,
      120_000,
    );
    expect(await inside('db', 'cat /data/file')).toBe('kept\n');
  }, 240_000);

  it('leave nothing behind', async () => {
    await act('DELETE', '');
    await eventually(
      async () => (await panel.call('GET', `/services/${id}`)).status,
      (status) => status === 404,
      60_000,
    );
    expect(await named('services')).toEqual([]);
    expect(await named('secrets')).toEqual([]);
    expect(await named('configs')).toEqual([]);
    expect((await named('networks')).filter(({ Name }) => Name?.includes(id))).toEqual([]);
    expect((await engineJson<{ Volumes: unknown[] | null }>('GET', '/volumes')).Volumes ?? []).toEqual([]);
    expect(await engineJson('GET', '/containers/json?all=1')).toEqual([]);
  }, 240_000);

  it('are reported by the doctor', async () => {
    const swarmLine = async (host: string) => {
      const env = { DOCKER_HOST: host, RUNTIME: 'swarm' };
      const { stdout } = await cli('postgres://nobody@127.0.0.1:1/none', ['doctor', '--json'], env);
      return (JSON.parse(stdout) as { check: string; state: string }[]).find(({ check }) => check === 'swarm');
    };
    expect(await swarmLine(swarm.host)).toMatchObject({ state: 'ok', detail: '1 node' });
    expect(await swarmLine('unix:///nowhere.sock')).toMatchObject({ state: 'failed' });
  });
});
