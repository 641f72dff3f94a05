import { EngineUnavailable } from '../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import { freely, freshServiceId } from '../../contract/container-runtime-bed.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import { SimulatedCrash } from '../../support/docker/fakes/fake-faults.js';
import { aContainerSpec, anImageReference } from '../../support/docker/plans.js';

const REFERENCE = 'registry.example.com/acme/web:1';

describe('the faults of the fake container runtime', () => {
  let runtime: FakeContainerRuntime;
  let spec: ReturnType<typeof aContainerSpec>;

  beforeEach(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(REFERENCE, {});
    const image = await runtime.pullImage({ image: anImageReference(REFERENCE), policy: 'always' }, freely);
    spec = aContainerSpec({ serviceId: freshServiceId(), imageId: image.id });
  });

  it('let the call fail that is counted out, and only that one', async () => {
    runtime.faults.fail('createContainer', new EngineUnavailable('away'), 2);
    const { id } = await runtime.createContainer(spec, freely);
    await expect(runtime.createContainer(spec, freely)).rejects.toThrow('away');
    expect(await runtime.createContainer(spec, freely)).toEqual({ id, adopted: true });
  });

  it('end the caller after the effect, so that the next run finds it', async () => {
    runtime.faults.crashAfter('createContainer');
    await expect(runtime.createContainer(spec, freely)).rejects.toThrow(SimulatedCrash);
    expect((await runtime.createContainer(spec, freely)).adopted).toBe(true);
  });

  it('end the caller before the effect, so that the next run does it', async () => {
    runtime.faults.crashBefore('createContainer');
    await expect(runtime.createContainer(spec, freely)).rejects.toThrow(SimulatedCrash);
    expect((await runtime.createContainer(spec, freely)).adopted).toBe(false);
  });

  it('hold a call until its caller gives up', async () => {
    void runtime.faults.hang('createContainer');
    const cancelled = new AbortController();
    const reason = new Error('cancelled by hand');
    setTimeout(() => cancelled.abort(reason), 20);
    await expect(runtime.createContainer(spec, { ...freely, signal: cancelled.signal })).rejects.toBe(reason);
    expect((await runtime.listOwned(null)).containers).toEqual([]);
  });

  it('take the whole engine away and bring it back', async () => {
    runtime.answers = false;
    await expect(runtime.version()).rejects.toThrow(EngineUnavailable);
    await expect(runtime.createContainer(spec, freely)).rejects.toThrow(EngineUnavailable);
    runtime.answers = true;
    expect((await runtime.createContainer(spec, freely)).adopted).toBe(false);
  });

  it('let a container end, or lose its health, on its own account', async () => {
    const { id } = await runtime.createContainer(spec, freely);
    await runtime.start(id, freely);
    runtime.containers.setHealth(id, 'unhealthy');
    expect((await runtime.inspect(id))?.health).toBe('unhealthy');
    runtime.containers.end(id, 137, { oomKilled: true });
    expect(await runtime.inspect(id)).toMatchObject({ lifecycle: 'exited', exitCode: 137, oomKilled: true });
  });
});
