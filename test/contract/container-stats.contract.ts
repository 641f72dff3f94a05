import type { ContainerStats } from '../../libs/services/src/application/ports/engine/container-stats.js';
import { aContainerSpec } from '../support/docker/plans.js';
import { clear, freely, freshServiceId, pulled, type RuntimeBed } from './container-runtime-bed.js';

export interface StatsBed extends RuntimeBed {
  readonly stats: ContainerStats;
}

/** What every source of figures does, the real one and the one that tests use in its place. */
export function itTellsWhatContainersUse(open: () => Promise<StatsBed>): void {
  let bed: StatsBed;

  beforeAll(async () => {
    bed = await open();
  });
  afterEach(() => clear(bed.runtime));
  afterAll(() => bed.close());

  const make = async () => {
    const { id: imageId } = await pulled(bed);
    const spec = aContainerSpec({ serviceId: freshServiceId(), imageId });
    return (await bed.runtime.createContainer(spec, freely)).id;
  };

  it('counts from the start of a container', async () => {
    const id = await make();
    await bed.runtime.start(id, freely);
    const sample = (await bed.stats.sample(id))!;
    expect(sample).toMatchObject({ containerId: id, network: { txBytes: 0 }, pids: 1 });
    expect(Math.abs(sample.at.getTime() - Date.now())).toBeLessThan(60_000);
    expect(sample.cpuNanos).toBeGreaterThan(0n);
    expect(sample.memory.limitBytes).toBe(64 * 1024 * 1024);
    expect(sample.memory.usedBytes).toBeGreaterThan(0);
    const later = (await bed.stats.sample(id))!;
    expect(later.at.getTime()).toBeGreaterThanOrEqual(sample.at.getTime());
    expect(later.cpuNanos).toBeGreaterThanOrEqual(sample.cpuNanos);
  });

  it('tells nothing of a container that does not run', async () => {
    const id = await make();
    expect(await bed.stats.sample(id)).toBeNull();
    await bed.runtime.start(id, freely);
    await bed.runtime.stop(id, 0, freely);
    expect(await bed.stats.sample(id)).toBeNull();
  });

  it('tells nothing of a container that is gone', async () => {
    const id = await make();
    await bed.runtime.removeContainer(id, freely);
    expect(await bed.stats.sample(id)).toBeNull();
  });

  it('gives up with its caller', async () => {
    const id = await make();
    const reason = new Error('no time');
    await expect(bed.stats.sample(id, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
}
