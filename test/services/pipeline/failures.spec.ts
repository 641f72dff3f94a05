import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import { SpecStore } from '#libs/services';
import { KeyRing } from '#platform/key-ring';
import { ContainerStartFailed } from '../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';
import { FakeIngress } from '../../support/ingress/fake-ingress.js';
import { SwitchedQuota, SwitchedReach } from '../../support/services/switches.js';

const REGISTRY = 'registry.example.com';
/** A volume that only one container may write: the old one stops before the new one starts. */
const ONE_WRITER = "    volumes: ['data:/data']\nvolumes: {data: {}}\n";

describe('a deployment that fails', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;
  let images = 0;
  const quota = new SwitchedQuota();
  const ingress = new FakeIngress();
  const reach = new SwitchedReach();

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    pipeline = await startPipeline(runtime, {
      times: { lease: 5_000, gate: 20 },
      quota,
      ingress,
      reach,
      baseDomain: 'apps.test',
    });
  });

  afterAll(() => pipeline.close());

  /** A running service with an image of its own, which a test can change under its tag. */
  async function running(lines = ''): Promise<{ id: Uuid; image: string; containers: readonly string[] }> {
    const image = `${REGISTRY}/app/${++images}:1`;
    runtime.state.publish(image, {});
    const id = await pipeline.create(`services:\n  web:\n    image: ${image}\n    init: true\n${lines}`);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    return { id, image, containers: await containersOf(id) };
  }

  async function containersOf(id: Uuid): Promise<string[]> {
    const { containers } = await runtime.listOwned(id);
    return containers.map(({ id: container, name, lifecycle }) => `${container} ${name.slice(37)} ${lifecycle}`).sort();
  }

  it.each([
    ['image_pull_failed', (image: string) => runtime.state.published.delete(image)],
    [
      'image_label_rejected',
      (image: string) => runtime.state.publish(image, { labels: { 'com.docker.compose.project': 'theirs' } }),
    ],
  ])('with %s leaves the containers, the status and the next operation alone', async (code, spoil) => {
    const { id, image, containers } = await running();
    const callsBefore = runtime.calls.filter((call) => call !== 'pullImage').length;
    spoil(image);
    const failed = await pipeline.do(id, 'redeploy');
    expect(failed).toMatchObject({ status: 'failed', reverted: false, committedAt: null });
    expect(failed!.errorMessage).toMatch(new RegExp(`^${code}: `));
    expect(await containersOf(id)).toEqual(containers);
    expect(runtime.calls.filter((call) => call !== 'pullImage')).toHaveLength(callsBefore);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect(await pipeline.do(id, 'restart')).toMatchObject({ status: 'succeeded' });
  });

  it('with a registry whose name has come to lead to a private address asks the engine for nothing', async () => {
    const { id, containers } = await running();
    const calls = runtime.calls.length;
    reach.privateHost = REGISTRY;
    const failed = await pipeline.do(id, 'redeploy');
    reach.privateHost = null;
    expect(failed!.errorMessage).toMatch(/^image_pull_failed: registry\.example\.com\S+: .* no public address\.$/);
    expect(runtime.calls).toHaveLength(calls);
    expect(await containersOf(id)).toEqual(containers);
  });

  it('before it touches a stopped service leaves it stopped', async () => {
    const { id, image } = await running();
    await pipeline.do(id, 'stop');
    runtime.state.published.delete(image);
    await pipeline.do(id, 'redeploy');
    expect(await pipeline.service(id)).toMatchObject({ status: 'stopped' });
    expect(await pipeline.reconcile.survey(id)).toEqual([]);
  });

  it.each([
    ['ends at once', { command: ['sh', '-c', 'exit 3'] }, 'health_gate_failed'],
    ['is unhealthy', { healthcheck: 'false' }, 'health_gate_failed'],
    ['has no program', { command: ['/no/such'] }, 'container_start_failed'],
  ])('after its commit point, because the new container %s, brings the old one back', async (_, contents, code) => {
    const { id, image, containers } = await running(ONE_WRITER);
    runtime.state.publish(image, contents);
    const before = Date.now();
    const failed = await pipeline.do(id, 'redeploy');
    expect(failed).toMatchObject({ status: 'failed', reverted: true, committedAt: expect.any(Date) });
    expect(failed!.errorMessage).toMatch(new RegExp(`^${code}: `));
    expect(await containersOf(id)).toEqual(containers);
    const service = await pipeline.service(id);
    expect(service).toMatchObject({ status: 'running' });
    // The old one had been stopped.
    expect(service!.startedAt!.getTime()).toBeGreaterThanOrEqual(before);
    expect(await pipeline.reconcile.survey(id)).toEqual([]);
  });

  it('the first time leaves an error and nothing on the engine but its volumes', async () => {
    const image = `${REGISTRY}/app/${++images}:1`;
    runtime.state.publish(image, { command: ['sh', '-c', 'exit 3'] });
    const id = await pipeline.create(
      `services:\n  web:\n    image: ${image}\n    volumes: [data:/data]\nvolumes: {data: {}}\n`,
    );
    expect(await pipeline.service(id)).toMatchObject({ status: 'error', containerIds: [] });
    expect(await pipeline.last(id)).toMatchObject({ status: 'failed' });
    expect((await runtime.listOwned(id)).containers).toEqual([]);
    runtime.state.publish(image, {});
    expect(await pipeline.do(id, 'redeploy')).toMatchObject({ status: 'succeeded' });
  });

  it('for want of an engine succeeds by itself when there is one', async () => {
    const { id: standing, containers } = await running();
    runtime.answers = false;
    const image = `${REGISTRY}/app/${++images}:1`;
    runtime.state.publish(image, {});
    const id = await pipeline.create(`services: {web: {image: '${image}', init: true}}`);
    expect((await pipeline.last(id))!.errorMessage).toMatch(/^docker_unavailable: /);
    expect(await pipeline.service(id)).toMatchObject({ status: 'error' });
    await pipeline.do(standing, 'restart');
    await expect(pipeline.reconcile.survey()).rejects.toMatchObject({ slug: 'docker_unavailable' });
    runtime.answers = true;
    await pipeline.reconcile.survey();
    await pipeline.workOff();
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect(await pipeline.service(standing)).toMatchObject({ status: 'running' });
    expect(await containersOf(standing)).toEqual(containers);
  });

  it('because its specification cannot be opened has touched nothing', async () => {
    const { id, containers } = await running();
    const other = KeyRing.parse(`k2:${randomBytes(32).toString('base64')}`);
    const { database } = pipeline;
    const stranger = await startPipeline(runtime, { keyRing: other, database });
    const { deploymentId } = await stranger.ask(id, 'redeploy');
    await stranger.runner.run(deploymentId!);
    await stranger.app.close();
    expect((await pipeline.last(id))!.errorMessage).toMatch(/^secret_undecryptable: /);
    expect(await containersOf(id)).toEqual(containers);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect(await pipeline.do(id, 'stop')).toMatchObject({ status: 'succeeded' });
  });

  it('is not brought about by a rotation of the keys', async () => {
    const [before, after] = ['k1', 'k2'].map((name) => `${name}:${randomBytes(32).toString('base64')}`);
    const old = await startPipeline(runtime, { keyRing: KeyRing.parse(before!) });
    const both = await startPipeline(runtime, { keyRing: KeyRing.parse(`${after},${before}`), database: old.database });
    const fresh = await startPipeline(runtime, { keyRing: KeyRing.parse(after!), database: old.database });
    const image = `${REGISTRY}/app/${++images}:1`;
    runtime.state.publish(image, {});
    const id = await old.create(`services: {web: {image: '${image}', init: true}}`);
    expect(await both.app.get(SpecStore).reseal()).toEqual({ resealed: 1, upToDate: 0, unreadable: 0 });
    expect(await both.app.get(SpecStore).reseal()).toEqual({ resealed: 0, upToDate: 1, unreadable: 0 });
    expect(await fresh.do(id, 'redeploy')).toMatchObject({ status: 'succeeded' });
    expect((await old.do(id, 'redeploy'))!.errorMessage).toMatch(/^secret_undecryptable: /);
    await fresh.do(id, 'remove');
    await Promise.all([both.app.close(), fresh.app.close()]);
    await old.close();
  });

  it('opens no specification that was sealed for another service', async () => {
    const [one, other] = [await running(), await running()];
    await pipeline.app
      .get(DataSource)
      .query(
        'update services.specs set sealed = (select sealed from services.specs where service_id = $2) where service_id = $1',
        [one.id, other.id],
      );
    expect((await pipeline.do(one.id, 'redeploy'))!.errorMessage).toMatch(/^secret_undecryptable: /);
  });

  it('is refused when it is asked for with a secret that nobody has written, by its name', async () => {
    const image = `${REGISTRY}/app/${++images}:1`;
    runtime.state.publish(image, {});
    const environment = "{A: 'x-${secret:MISSING}', B: '${secret:ABSENT}'}";
    await expect(
      pipeline.create(`services: {web: {image: '${image}', environment: ${environment}}}`),
    ).rejects.toMatchObject({
      kind: 'invalid',
      violations: [
        { path: '/services/web/environment', code: 'secret_missing', message: 'The secret MISSING does not exist.' },
        { path: '/services/web/environment', code: 'secret_missing', message: 'The secret ABSENT does not exist.' },
      ],
    });
  });

  it('is refused when it is asked for with a variable that nobody has given, by its name', async () => {
    const image = `${REGISTRY}/app/${++images}:1`;
    await expect(pipeline.create(`services: {web: {image: '${image}', user: '\${USER_ID}'}}`)).rejects.toMatchObject({
      kind: 'invalid',
      violations: [
        { path: '/services/web/user', code: 'variable_missing', message: expect.stringContaining('USER_ID') },
      ],
    });
  });

  it('refuses a host port that another service holds', async () => {
    const ports = '    ports: ["18080:80"]\n';
    const { id } = await running(ports);
    await expect(running(ports)).rejects.toMatchObject({ slug: 'conflict', message: expect.stringContaining('18080') });
    await pipeline.do(id, 'remove');
    await running(ports);
  });

  it('that is given up before its commit point is cancelled, and the service is as before', async () => {
    const { id, containers } = await running();
    const hangs = runtime.faults.hang('pullImage');
    const { deploymentId } = await pipeline.ask(id, 'redeploy');
    const run = pipeline.runner.run(deploymentId!);
    await hangs;
    await pipeline.cancel(deploymentId!);
    await run;
    expect(await pipeline.last(id)).toMatchObject({ status: 'cancelled', reverted: false });
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect(await containersOf(id)).toEqual(containers);
  });

  it.each([
    ['start', 'stopped', 'start'],
    ['restart', 'running', 'start'],
    ['restart', 'running', 'stop'],
    ['reconcile', 'running', 'inspect'],
  ] as const)('given up in the middle of a %s, leaves the service %s as it was', async (action, status, call) => {
    const { id, containers } = await running();
    if (status === 'stopped') await pipeline.do(id, 'stop');
    const hangs = runtime.faults.hang(call);
    const { deploymentId } = await pipeline.ask(id, action);
    const run = pipeline.runner.run(deploymentId!);
    await hangs;
    await pipeline.cancel(deploymentId!);
    await run;
    expect(await pipeline.last(id)).toMatchObject({
      status: 'cancelled',
      reverted: true,
      errorMessage: 'cancelled: It was cancelled.',
    });
    expect(await pipeline.service(id)).toMatchObject({ status });
    const lifecycle = status === 'stopped' ? 'exited' : 'running';
    expect(await containersOf(id)).toEqual(containers.map((line) => line.replace(/ \w+$/, ` ${lifecycle}`)));
    expect(await pipeline.do(id, status === 'stopped' ? 'start' : 'restart')).toMatchObject({ status: 'succeeded' });
  });

  it('for want of quota leaves the containers, the status and the next operation alone', async () => {
    const { id, containers } = await running();
    quota.refusal = 'The organisation has 3 of 3 services.';
    const failed = await pipeline.do(id, 'redeploy');
    quota.refusal = null;
    expect(failed).toMatchObject({ status: 'failed', committedAt: null });
    expect(failed!.errorMessage).toBe('quota_exceeded: The organisation has 3 of 3 services.');
    expect(await containersOf(id)).toEqual(containers);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect(await pipeline.do(id, 'redeploy')).toMatchObject({ status: 'succeeded' });
  });

  it('at its route is not failed: the containers serve, and the step tells', async () => {
    const { id } = await running();
    await pipeline.nameOnTheWeb(id, 'route.apps.test');
    ingress.failure = new ContainerStartFailed('The ingress does not answer.');
    const deployment = await pipeline.do(id, 'redeploy');
    ingress.failure = null;
    expect(deployment).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(deployment!.steps.find(({ name }) => name === 'route')).toMatchObject({ status: 'failed' });
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
  });

  it('keeps no value of the environment anywhere but inside the container', async () => {
    const canary = 'canary-5f0c2a';
    await running(`    environment: {PASSWORD: ${canary}}\n`);
    const rows = await pipeline.app.get(DataSource).query<object[]>(
      `select to_jsonb(s) as row from services.services s union all select to_jsonb(d) from services.deployments d
       union all select to_jsonb(j) from bullmq.job j`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(JSON.stringify(rows)).not.toContain(canary);
    const owned = await runtime.listOwned(null);
    expect(JSON.stringify(owned)).not.toContain(canary);
    const specs = await pipeline.app.get(DataSource).query<{ sealed: Buffer }[]>('select sealed from services.specs');
    expect(Buffer.concat(specs.map(({ sealed }) => sealed)).includes(canary)).toBe(false);
  });
});
