import type { Uuid } from '#kernel/crypto/uuid';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import { SimulatedCrash } from '../../support/docker/fakes/fake-faults.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const IMAGE = 'registry.example.com/acme/web:1';
const GROUP = `
services:
  db: {image: '${IMAGE}', init: true, volumes: ['data:/data'], environment: {PASSWORD: secret-canary}}
  web: {image: '${IMAGE}', init: true, depends_on: [db], configs: [page]}
configs: {page: {content: hello}}
volumes: {data: {}}
`;

/** Every call of a redeployment that changes the engine, and how often it comes. */
const CALLS = {
  pullImage: 1,
  ensureNetwork: 1,
  ensureVolume: 1,
  createContainer: 2,
  putFiles: 1,
  stop: 2,
  rename: 4,
  start: 2,
  removeContainer: 2,
};
const FAULTS = ['crashBefore', 'crashAfter'] as const;

describe('after the death of a worker', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(IMAGE, {});
    pipeline = await startPipeline(runtime, { times: { lease: 5_000, gate: 20 } });
  });

  afterAll(() => pipeline.close());

  /** P1 to P6 for one service that should run. */
  async function itIsWhole(id: Uuid): Promise<void> {
    const service = await pipeline.service(id);
    expect(service).toMatchObject({ status: 'running' });
    const { containers, networks, volumes } = await runtime.listOwned(id);
    expect(containers.map(({ name, lifecycle }) => [name, lifecycle]).sort()).toEqual([
      [`${id}_db`, 'running'],
      [`${id}_web`, 'running'],
    ]);
    expect(new Set(containers.map(({ owner }) => owner.deploymentId)).size).toBe(1);
    expect([...service!.containerIds].sort()).toEqual(containers.map((container) => container.id).sort());
    expect(networks.map(({ name }) => name)).toEqual([`${id}_default`]);
    expect(volumes.map(({ name }) => name)).toEqual([`${id}_data`]);
    const open = (await pipeline.deployments(id)).filter(({ finishedAt }) => finishedAt === null);
    expect(open).toEqual([]);
    expect(await pipeline.reconcile.survey(id)).toEqual([]);
    expect(await pipeline.do(id, 'restart')).toMatchObject({ status: 'succeeded' });
  }

  async function dies(work: () => Promise<unknown>): Promise<boolean> {
    return work().then(
      () => false,
      (error: unknown) => {
        if (error instanceof SimulatedCrash) return true;
        throw error;
      },
    );
  }

  const places = Object.entries(CALLS).flatMap(([call, times]) =>
    Array.from({ length: times }, (_, index) => FAULTS.map((fault) => [fault, call, index + 1] as const)).flat(),
  );

  it.each(places)('%s %s number %i of a redeployment, old or new containers serve', async (fault, call, nth) => {
    const id = await pipeline.create(GROUP);
    const { deploymentId } = await pipeline.ask(id, 'redeploy');
    runtime.faults[fault](call, nth);
    expect(await dies(() => pipeline.runner.run(deploymentId!))).toBe(true);
    await pipeline.recover();
    await itIsWhole(id);
    expect((await pipeline.deployments(id)).find((one) => one.id === deploymentId)).toMatchObject({
      status: 'succeeded',
    });
    await pipeline.do(id, 'remove');
    expect(await runtime.listOwned(id)).toEqual({ containers: [], networks: [], volumes: [] });
  });

  it.each(
    ['removeContainer', 'removeNetwork', 'removeVolume'].flatMap((call) =>
      FAULTS.map((fault) => [fault, call] as const),
    ),
  )('%s %s of a deletion, nothing stays', async (fault, call) => {
    const id = await pipeline.create(GROUP);
    const { deploymentId } = await pipeline.ask(id, 'remove');
    runtime.faults[fault](call);
    expect(await dies(() => pipeline.runner.run(deploymentId!))).toBe(true);
    await pipeline.recover();
    expect(await pipeline.service(id)).toBeNull();
    expect(await runtime.listOwned(id)).toEqual({ containers: [], networks: [], volumes: [] });
  });

  it('a deployment whose workers always die ends as interrupted, with the old containers in place', async () => {
    const id = await pipeline.create(GROUP);
    const before = (await runtime.listOwned(id)).containers.map((container) => container.id).sort();
    await pipeline.ask(id, 'redeploy');
    for (let attempt = 0; attempt < 4; attempt += 1) {
      runtime.faults.crashBefore('start');
      expect(await dies(() => pipeline.workOff())).toBe(true);
      await pipeline.endLeases();
    }
    await pipeline.workOff();
    expect(await pipeline.last(id)).toMatchObject({ status: 'failed', reverted: true });
    expect((await pipeline.last(id))!.errorMessage).toMatch(/^interrupted: /);
    expect((await runtime.listOwned(id)).containers.map((container) => container.id).sort()).toEqual(before);
    await itIsWhole(id);
  });
});
