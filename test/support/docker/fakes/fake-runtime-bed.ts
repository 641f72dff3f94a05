import type { RuntimeBed } from '../../../contract/container-runtime-bed.js';
import { FakeContainerRuntime } from './fake-container-runtime.js';

/** The fake runtime and its surroundings, for the contract suite. */
export function openFakeBed(): Promise<RuntimeBed> {
  const runtime = new FakeContainerRuntime();
  const { state, resources } = runtime;
  resources.deadRegistries.add('dead.example.com');
  resources.guardedRegistries.add('guarded.example.com');
  let port = 40_000;
  return Promise.resolve({
    runtime,
    registry: 'registry.example.com',
    deadRegistry: 'dead.example.com',
    guardedRegistry: 'guarded.example.com',
    publish: (reference, contents = {}) => Promise.resolve(state.publish(reference, contents)),
    makeLocal: (reference) => {
      state.images.set(reference, state.makeImage({}, null));
      return Promise.resolve();
    },
    readFile: (containerId, path) => Promise.resolve(state.containers.get(containerId)!.files.get(path)!),
    writeFile: (containerId, path, text) => {
      state.containers.get(containerId)!.files.set(path, { text, uid: 0, gid: 0, mode: 0o644 });
      return Promise.resolve();
    },
    portAddress: '127.0.0.1',
    reaches: (containerId, host) => Promise.resolve(state.reaches(containerId, host)),
    isReachedAt: async (address) => {
      const all = await Promise.all([...state.containers.keys()].map((id) => runtime.inspect(id)));
      return all.some((details) => details?.lifecycle === 'running' && details.hostAddress === address);
    },
    makeForeign: (kind, name) => {
      state.foreign.add(`${kind} ${name}`);
      return Promise.resolve({
        forget: () => {
          state.foreign.delete(`${kind} ${name}`);
          return Promise.resolve();
        },
      });
    },
    foreignStands: (kind, name) => Promise.resolve(state.foreign.has(`${kind} ${name}`)),
    occupyPort: () => {
      const taken = ++port;
      state.occupiedPorts.add(taken);
      return Promise.resolve({
        port: taken,
        release: () => {
          state.occupiedPorts.delete(taken);
          return Promise.resolve();
        },
      });
    },
    close: () => Promise.resolve(),
  });
}
