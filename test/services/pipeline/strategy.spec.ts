import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';
import type { Uuid } from '#kernel/crypto/uuid';

const IMAGE = 'registry.example.com/app:1';
const FAILING = 'registry.example.com/failing:1';

describe('how new containers take the place of old ones', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(IMAGE, {});
    runtime.state.publish(FAILING, {});
    pipeline = await startPipeline(runtime, { times: { gate: 20 } });
  });
  afterAll(() => pipeline.close());

  const web = (more = '') => `services:\n  web:\n    image: ${IMAGE}\n    init: true\n${more}`;

  /** What a redeployment does to the engine, and the names of its steps. */
  async function redeployed(id: Uuid) {
    const before = runtime.calls.length;
    const deployment = (await pipeline.do(id, 'redeploy'))!;
    const steps = deployment.steps.map(({ name }) => name).slice(5);
    const calls = runtime.calls.slice(before).filter((call) => ['start', 'stop', 'removeContainer'].includes(call));
    return { deployment, steps, calls };
  }

  it('starts them beside the old ones, which stop once the route leads to the new ones', async () => {
    const id = await pipeline.create(web());
    const { deployment, steps, calls } = await redeployed(id);
    expect(deployment).toMatchObject({ status: 'succeeded', strategy: 'start-first' });
    expect(steps).toEqual(['create', 'start', 'health_gate', 'route', 'retire', 'finish']);
    expect(calls).toEqual(['start', 'stop', 'removeContainer']);
    const { containers } = await runtime.listOwned(id);
    expect(containers).toMatchObject([
      { name: `${id}_web`, lifecycle: 'running', owner: { deploymentId: deployment.id } },
    ]);
    expect(await pipeline.reconcile.survey(id)).toEqual([]);
  });

  it('does not touch the old ones when the new ones fail their gate', async () => {
    const id = await pipeline.create(web().replace(IMAGE, FAILING));
    const [old] = (await runtime.listOwned(id)).containers;
    const { startedAt } = (await pipeline.service(id))!;
    runtime.state.publish(FAILING, { command: ['sh', '-c', 'exit 3'] });
    const { deployment, calls } = await redeployed(id);
    expect(deployment).toMatchObject({ status: 'failed', reverted: true, strategy: 'start-first' });
    expect(calls).toEqual(['start', 'removeContainer']);
    expect((await runtime.listOwned(id)).containers).toEqual([old]);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running', startedAt });
  });

  it.each([
    ['a host port that an old one publishes', "    ports: ['18300:80']\n"],
    ['a volume of an old one', "    volumes: ['data:/data']\nvolumes: {data: {}}\n"],
  ])('stops the old ones first when the new ones want %s', async (_, more) => {
    const id = await pipeline.create(web(more));
    const { deployment, steps, calls } = await redeployed(id);
    expect(deployment).toMatchObject({ status: 'succeeded', strategy: 'stop-first' });
    expect(steps).toEqual(['create', 'retire', 'start', 'health_gate', 'route', 'finish']);
    expect(calls).toEqual(['stop', 'start', 'removeContainer']);
  });

  it('shares a volume between old and new when the file says so', async () => {
    const id = await pipeline.create(web("    volumes: ['data:/data']\nvolumes: {data: {x-shared: true}}\n"));
    expect((await redeployed(id)).deployment).toMatchObject({ status: 'succeeded', strategy: 'start-first' });
    const wrong = web("    volumes: ['data:/data']\nvolumes: {data: {x-shared: often}}\n");
    await expect(pipeline.create(wrong)).rejects.toMatchObject({ violations: [{ path: '/volumes/data/x-shared' }] });
  });

  it.each(['start', 'stop', 'removeContainer', 'rename'] as const)(
    'is gone on with by another worker when the first one dies at its %s',
    async (call) => {
      const id = await pipeline.create(web());
      const hangs = runtime.faults.hang(call);
      const { deploymentId } = await pipeline.ask(id, 'redeploy');
      const dead = pipeline.runner.run(deploymentId!).catch(() => undefined);
      await hangs;
      await pipeline.recover();
      const deployment = (await pipeline.deployments(id)).find((one) => one.id === deploymentId);
      expect(deployment).toMatchObject({ status: 'succeeded', strategy: 'start-first' });
      expect((await runtime.listOwned(id)).containers).toMatchObject([
        { name: `${id}_web`, lifecycle: 'running', owner: { deploymentId } },
      ]);
      await dead;
    },
  );
});
