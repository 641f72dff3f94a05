import { PATIENCE } from '../../../tools/lib/tests/patience.mjs';
import type { ContainerEvent } from '../../../libs/services/src/application/ports/engine/container-state.js';
import { DockerodeContainerRuntime } from '../../../libs/services/src/infrastructure/docker/dockerode-container-runtime.js';
import { clear, freely, freshServiceId } from '../../contract/container-runtime-bed.js';
import { engineHost } from '../../support/docker/engine-http.js';
import { describeWithEngine } from '../../support/docker/engine.js';
import { eventually } from '../../support/docker/eventually.js';
import { forgetImages, makeImage } from '../../support/docker/images.js';
import { aContainerPlan, aContainerSpec } from '../../support/docker/plans.js';

const IMAGE = 'test-limits:1';

describeWithEngine('the limits of a container', () => {
  const runtime = new DockerodeContainerRuntime({ host: engineHost(), instance: `test-limits-${process.pid}` });
  let imageId: string;

  beforeAll(async () => {
    imageId = await makeImage(IMAGE);
  });

  afterEach(() => clear(runtime));

  afterAll(() => forgetImages('test-limits'));

  it('end a process that takes more memory, and the engine says that this was why', async () => {
    const serviceId = freshServiceId();
    const since = new Date();
    const resources = { ...aContainerPlan().resources, memoryBytes: 16 * 1024 * 1024 };
    // A tail that never finds a line end keeps all it has read.
    const spec = aContainerSpec({ serviceId, imageId }, { command: ['tail', '/dev/zero'], resources });
    const { id } = await runtime.createContainer(spec, freely);
    await runtime.start(id, freely);
    const ended = await eventually(
      () => runtime.inspect(id),
      (details) => details?.lifecycle === 'exited',
    );
    expect(ended).toMatchObject({ exitCode: 137, oomKilled: true });
    const changes: ContainerEvent['change'][] = [];
    for await (const event of runtime.events(since, AbortSignal.timeout(5_000))) {
      if (event.kind !== 'container' || event.serviceId !== serviceId) continue;
      changes.push(event.change);
      if (event.change === 'died') break;
    }
    expect(changes).toContain('out-of-memory');
  });

  it('give a stopped process its grace and not much more', async () => {
    // PID 1 without an init process ignores the request to end.
    const spec = aContainerSpec({ serviceId: freshServiceId(), imageId });
    const { id } = await runtime.createContainer(spec, freely);
    await runtime.start(id, freely);
    const began = Date.now();
    await runtime.stop(id, 1_000, freely);
    const tookMs = Date.now() - began;
    expect(tookMs).toBeGreaterThanOrEqual(1_000);
    expect(tookMs).toBeLessThan(8_000 * PATIENCE);
  });
});
