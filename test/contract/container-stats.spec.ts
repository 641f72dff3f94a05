import { DockerodeContainerStats } from '../../libs/services/src/infrastructure/docker/dockerode-container-stats.js';
import { EngineUnavailable } from '../../libs/services/src/application/ports/container-runtime-errors.js';
import { openDockerBed } from '../support/docker/docker-runtime-bed.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { engineHost } from '../support/docker/engine-http.js';
import { EngineProxy } from '../support/docker/engine-proxy.js';
import { eventually } from '../support/docker/eventually.js';
import { FakeContainerStats } from '../support/docker/fake-container-stats.js';
import { openFakeBed } from '../support/docker/fake-runtime-bed.js';
import type { FakeContainerRuntime } from '../support/docker/fake-container-runtime.js';
import { itTellsWhatContainersUse } from './container-stats.contract.js';

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
    const stats = new DockerodeContainerStats({ host: engine.host, readTimeoutMs: 100 });
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
});
