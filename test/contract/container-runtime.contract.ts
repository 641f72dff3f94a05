import { clear, type RuntimeBed } from './container-runtime-bed.js';
import { itTellsWhatHappens } from './container-runtime-events.contract.js';
import { itObeysTheGuard } from './container-runtime-guard.contract.js';
import { itPullsImages } from './container-runtime-images.contract.js';
import { itSurroundsContainers } from './container-runtime-inside.contract.js';
import { itRunsContainers } from './container-runtime-lifecycle.contract.js';
import { itKeepsNetworksAndVolumes } from './container-runtime-resources.contract.js';

/** What every container runtime does, the real one and the one that tests use in its place. */
export function itIsAContainerRuntime(open: () => Promise<RuntimeBed>): void {
  let bed: RuntimeBed;

  beforeAll(async () => {
    bed = await open();
  });

  afterEach(async () => {
    await clear(bed.runtime);
  });

  afterAll(async () => {
    await bed.close();
  });

  it('tells its version and the one in which both sides speak', async () => {
    const version = await bed.runtime.version();
    expect(version.engine).toMatch(/^\d+\./);
    expect(version.api).toMatch(/^1\.\d+$/);
  });

  const bedOf = () => bed;
  itPullsImages(bedOf);
  itKeepsNetworksAndVolumes(bedOf);
  itRunsContainers(bedOf);
  itSurroundsContainers(bedOf);
  itObeysTheGuard(bedOf);
  itTellsWhatHappens(bedOf);
}
