import { EngineUnavailable } from '../../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import {
  ContainerRuntime,
  type ContainerFile,
  type ContainerSpec,
  type CreatedContainer,
  type EngineVersion,
  type LocalImage,
  type Operation,
  type PullRequest,
} from '../../../../libs/services/src/application/ports/engine/container-runtime.js';
import type {
  ContainerDetails,
  DiskUse,
  OwnedResources,
  RuntimeEvent,
} from '../../../../libs/services/src/application/ports/engine/container-state.js';
import type { ImageReference, NetworkPlan, VolumePlan } from '../../../../libs/services/src/domain/service-plan.js';
import { FakeContainers } from './fake-containers.js';
import { FakeEngineState } from './fake-engine-state.js';
import { FakeEvents } from './fake-events.js';
import { FakeFaults } from './fake-faults.js';
import { FakeResources } from './fake-resources.js';

/**
 * A container runtime in memory that passes the same contract suite as the real one. Nothing really runs. `faults`
 * makes calls fail, and `containers` simulates exits and health changes.
 */
export class FakeContainerRuntime extends ContainerRuntime {
  readonly state = new FakeEngineState();
  readonly faults = new FakeFaults();
  readonly happenings = new FakeEvents();
  readonly containers = new FakeContainers(this.state, this.happenings);
  readonly resources = new FakeResources(this.state);
  /** Names of the calls that changed something, in the order of their effects. */
  readonly calls: string[] = [];
  /** If false, every call fails as if the engine were down. */
  answers = true;
  /** Runs before the guard of every changing call, so that a test can freeze the caller here. */
  beforeGuard: ((call: string) => Promise<void>) | null = null;

  version(signal?: AbortSignal): Promise<EngineVersion> {
    return this.#look('version', signal, () => ({ engine: '0.0.0-fake', api: '1.41' }));
  }

  listOwned(serviceId: string | null, signal?: AbortSignal): Promise<OwnedResources> {
    return this.#look('listOwned', signal, () => ({
      containers: this.containers.owned(serviceId),
      ...this.resources.owned(serviceId),
    }));
  }

  async pullImage({ image, policy, onProgress }: PullRequest, operation: Operation): Promise<LocalImage> {
    const standing = policy === 'if-missing' ? await this.inspectImage(image, operation.signal) : null;
    return standing ?? this.#change('pullImage', operation, () => this.resources.pull(image, onProgress));
  }

  inspectImage(image: ImageReference, signal?: AbortSignal): Promise<LocalImage | null> {
    return this.#look('inspectImage', signal, () => this.resources.imageNamed(image));
  }

  removeTag(image: ImageReference, operation: Operation): Promise<void> {
    return this.#change('removeTag', operation, () => this.resources.removeTag(image));
  }

  ensureNetwork(serviceId: string, network: NetworkPlan, operation: Operation): Promise<void> {
    return this.#change('ensureNetwork', operation, () => this.resources.ensureNetwork(serviceId, network));
  }

  ensureVolume(serviceId: string, volume: VolumePlan, operation: Operation): Promise<void> {
    return this.#change('ensureVolume', operation, () => this.resources.ensureVolume(serviceId, volume));
  }

  createContainer(spec: ContainerSpec, operation: Operation): Promise<CreatedContainer> {
    return this.#change('createContainer', operation, () => this.containers.create(spec));
  }

  putFiles(containerId: string, files: readonly ContainerFile[], operation: Operation): Promise<void> {
    return this.#change('putFiles', operation, () => this.containers.putFiles(containerId, files));
  }

  start(containerId: string, operation: Operation): Promise<void> {
    return this.#change('start', operation, () => this.containers.start(containerId));
  }

  stop(containerId: string, _graceMs: number, operation: Operation): Promise<void> {
    return this.#change('stop', operation, () => this.containers.stop(containerId));
  }

  rename(containerId: string, name: string, operation: Operation): Promise<void> {
    return this.#change('rename', operation, () => this.containers.rename(containerId, name));
  }

  removeContainer(containerId: string, operation: Operation): Promise<void> {
    return this.#change('removeContainer', operation, () => this.containers.remove(containerId));
  }

  inspect(containerId: string, signal?: AbortSignal): Promise<ContainerDetails | null> {
    return this.#look('inspect', signal, () => this.containers.details(containerId));
  }

  removeUnusedNetwork(name: string, operation: Operation): Promise<void> {
    return this.#change('removeNetwork', operation, () => this.resources.removeUnusedNetwork(name));
  }

  removeNetwork(name: string, operation: Operation): Promise<void> {
    return this.#change('removeNetwork', operation, () => this.resources.removeNetwork(name));
  }

  removeVolume(name: string, operation: Operation): Promise<void> {
    return this.#change('removeVolume', operation, () => this.resources.removeVolume(name));
  }

  diskUsage(signal?: AbortSignal): Promise<ReadonlyMap<string, DiskUse>> {
    return this.#look('diskUsage', signal, () => this.containers.diskUsage());
  }

  events(since: Date | null, signal: AbortSignal): AsyncIterable<RuntimeEvent> {
    return this.happenings.listen(since, signal);
  }

  async #look<T>(call: string, signal: AbortSignal | undefined, answer: () => T): Promise<T> {
    this.#beReachable(signal);
    return this.faults.strike(call, signal, answer);
  }

  async #change<T>(call: string, { guard, signal }: Operation, effect: () => T): Promise<T> {
    this.#beReachable(signal);
    await this.beforeGuard?.(call);
    await guard();
    signal?.throwIfAborted();
    return this.faults.strike(call, signal, () => {
      this.calls.push(call);
      return effect();
    });
  }

  #beReachable(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (!this.answers) throw new EngineUnavailable('No Docker engine is responding (the fake is switched off).');
  }
}
