import { DockerodeContainerStats } from '../../libs/services/src/infrastructure/docker/streams/dockerode-container-stats.js';
import type { ContainerSample } from '../../libs/services/src/application/ports/engine/container-stats.js';
import { EngineUnavailable } from '../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import { openDockerBed } from '../support/docker/docker-runtime-bed.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { engineHost } from '../support/docker/engine-http.js';
import { EngineProxy } from '../support/docker/engine-proxy.js';
import { eventually } from '../support/docker/eventually.js';
import { FakeContainerStats } from '../support/docker/fakes/fake-container-stats.js';
import { Burner, RECORDED_ON_V2, recordedEngine } from '../support/docker/known-use.js';
import { openFakeBed } from '../support/docker/fakes/fake-runtime-bed.js';
import type { FakeContainerRuntime } from '../support/docker/fakes/fake-container-runtime.js';
import { itTellsWhatContainersUse } from './container-stats.contract.js';

const MEBIBYTE = 1024 * 1024;
/** The kernel tells the time of processes in ticks of 10 ms, rounded down, and that of children once they are waited for. */
const ROUNDED_OFF_SECONDS = 0.1;

/** A look of ours, between two at the processor time that the processes themselves have had, in seconds. */
interface Look {
  readonly asked: number;
  readonly sample: ContainerSample;
  readonly answered: number;
}

function expectTruth([before, after]: readonly [Look, Look], heldBytes: number): void {
  const grown = Number(after.sample.cpuNanos - before.sample.cpuNanos) / 1e9;
  expect(grown).toBeGreaterThan(after.asked - before.answered - ROUNDED_OFF_SECONDS);
  expect(grown).toBeLessThan(after.answered - before.asked + ROUNDED_OFF_SECONDS);
  for (const { sample } of [before, after]) {
    expect(sample.memory.limitBytes).toBe(256 * MEBIBYTE);
    // What the kernel keeps for it comes on top; the 60 MB of page cache do not.
    expect(sample.memory.usedBytes).toBeGreaterThanOrEqual(heldBytes);
    expect(sample.memory.usedBytes).toBeLessThan(heldBytes + 10 * MEBIBYTE);
  }
}

describe('the fake figures', () => {
  itTellsWhatContainersUse(async () => {
    const bed = await openFakeBed();
    return { ...bed, stats: new FakeContainerStats(bed.runtime as FakeContainerRuntime) };
  });
});

describeWithEngine('the figures of the Docker Engine', () => {
  itTellsWhatContainersUse(async () => ({
    ...(await openDockerBed()),
    stats: new DockerodeContainerStats({ host: engineHost() }),
  }));

  it('do not come from an engine that says nothing, and leave no connection behind', async () => {
    const engine = await EngineProxy.create();
    await engine.open();
    const stats = new DockerodeContainerStats({ host: engine.host, readTimeoutMs: 1_000 });
    try {
      expect(await stats.sample('no-such-container')).toBeNull();
      engine.fallSilent();
      await expect(stats.sample('no-such-container')).rejects.toThrow(EngineUnavailable);
      await expect(stats.sample('no-such-container', AbortSignal.timeout(50))).rejects.toThrow(/timeout/);
      await eventually(
        () => Promise.resolve(engine.connections),
        (open) => open === 0,
      );
    } finally {
      await engine.remove();
    }
  });

  it('are what a container really uses that burns a core and holds 100 MB', async () => {
    const burner = await Burner.start();
    try {
      const stats = new DockerodeContainerStats({ host: engineHost() });
      const look = async (): Promise<Look> => {
        const { cpuSeconds: asked } = await burner.usedBefore();
        const sample = (await stats.sample(burner.id))!;
        return { asked, sample, answered: (await burner.usedAfter()).cpuSeconds };
      };
      const before = await look();
      const after = await eventually(look, ({ asked }) => asked > before.answered + 2, 20_000);
      expectTruth([before, after], (await burner.usedBefore()).heldBytes);
    } finally {
      await burner.remove();
    }
  }, 60_000);
});

describe('the figures of an engine on cgroup v2, as it once answered', () => {
  it('are what the container really used', async () => {
    const { truth } = RECORDED_ON_V2;
    const engine = await recordedEngine(RECORDED_ON_V2);
    const stats = new DockerodeContainerStats({ host: engine.host });
    const look = async (when: 'before' | 'after'): Promise<Look> => ({
      ...truth.cpuSeconds[when],
      sample: (await stats.sample('burn'))!,
    });
    const looks = [await look('before'), await look('after')] as const;
    engine.close();
    expectTruth(looks, truth.heldBytes);
    const [{ sample: first }, { sample: last }] = looks;
    const cores = Number(last.cpuNanos - first.cpuNanos) / 1e6 / (last.at.getTime() - first.at.getTime());
    expect(cores).toBeCloseTo(0.96, 2);
    expect(last.memory.usedBytes).toBeLessThan(truth.heldBytes + MEBIBYTE);
    // The file was written once and read once; beside it lie its folders and the program.
    expect(last.block).toEqual({ readBytes: expect.closeTo(truth.writtenBytes, -5), writeBytes: truth.writtenBytes });
    for (const bytes of Object.values(last.network)) {
      expect(bytes).toBeGreaterThan(truth.pingBytes);
      expect(bytes).toBeLessThan(truth.pingBytes * 1.1);
    }
    expect(last.pids).toBe(1);
  });
});
