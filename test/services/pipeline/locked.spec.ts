import type { Uuid } from '#kernel/crypto/uuid';
import { ContainerStartFailed } from '../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const REGISTRY = 'registry.example.com';

describe('a service whose old containers cannot be brought back', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;
  let images = 0;

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    pipeline = await startPipeline(runtime, { times: { lease: 5_000, gate: 20 } });
  });

  afterAll(() => pipeline.close());

  async function running(): Promise<{ id: Uuid; image: string }> {
    const image = `${REGISTRY}/locked/${++images}:1`;
    runtime.state.publish(image, {});
    // The volume has one writer: the old container stops before the new one starts.
    const id = await pipeline.create(
      `services:\n  web:\n    image: ${image}\n    init: true\n    volumes: ['data:/data']\nvolumes: {data: {}}\n`,
    );
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    return { id, image };
  }

  it('is an error, and locked until it is reconciled', async () => {
    const { id, image } = await running();
    runtime.state.publish(image, { command: ['sh', '-c', 'exit 3'] });
    runtime.faults.fail('start', new ContainerStartFailed('The device is on fire.'), 2);
    expect(await pipeline.do(id, 'redeploy')).toMatchObject({ status: 'failed', reverted: false });
    expect(await pipeline.service(id)).toMatchObject({ status: 'error', startedAt: null, uptimeSeconds: null });
    for (const action of ['start', 'restart', 'redeploy'] as const) {
      await expect(pipeline.ask(id, action)).rejects.toMatchObject({ slug: 'service_locked' });
    }
    // Stopped or suspended it is still locked.
    await pipeline.do(id, 'stop');
    expect(await pipeline.service(id)).toMatchObject({ status: 'stopped' });
    await expect(pipeline.ask(id, 'start')).rejects.toMatchObject({ slug: 'service_locked' });
    await expect(pipeline.ask(id, 'redeploy')).rejects.toMatchObject({ slug: 'service_locked' });
    await pipeline.do(id, 'suspend');
    await expect(pipeline.ask(id, 'unsuspend')).rejects.toMatchObject({ slug: 'service_locked' });
    expect(await pipeline.do(id, 'reconcile')).toMatchObject({ status: 'succeeded' });
    const before = Date.now();
    expect(await pipeline.do(id, 'unsuspend')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.do(id, 'start')).toMatchObject({ status: 'succeeded' });
    const mended = await pipeline.service(id);
    expect(mended).toMatchObject({ status: 'running' });
    expect(mended!.startedAt!.getTime()).toBeGreaterThanOrEqual(before);
    const { containers } = await runtime.listOwned(id);
    expect(containers.map(({ name, lifecycle }) => [name.slice(37), lifecycle])).toEqual([['web', 'running']]);
    expect(await pipeline.do(id, 'restart')).toMatchObject({ status: 'succeeded' });
  });

  it('gives up what was asked for meanwhile', async () => {
    const { id, image } = await running();
    runtime.state.publish(image, { command: ['sh', '-c', 'exit 3'] });
    runtime.faults.fail('start', new ContainerStartFailed('The device is on fire.'), 2);
    const pull = runtime.pullImage.bind(runtime);
    const held = jest.spyOn(runtime, 'pullImage').mockImplementationOnce(async (...args) => {
      await pipeline.ask(id, 'redeploy'); // waits for the one that runs
      return pull(...args);
    });
    const first = await pipeline.ask(id, 'redeploy');
    await pipeline.runner.run(first.deploymentId!);
    held.mockRestore();
    const [waiting, failed] = await pipeline.deployments(id);
    expect(failed).toMatchObject({ id: first.deploymentId, status: 'failed' });
    expect(waiting).toMatchObject({
      status: 'cancelled',
      errorMessage: 'cancelled: The service is locked until it is reconciled.',
    });
    expect(await pipeline.service(id)).toMatchObject({ status: 'error' });
    await expect(pipeline.ask(id, 'start')).rejects.toMatchObject({ slug: 'service_locked' });
  });
});
