import type {
  ContainerRuntime,
  Operation,
} from '../../libs/services/src/application/ports/engine/container-runtime.js';
import { SecretText } from '#kernel/crypto/secret-text';
import { aContainerSpec, anImageReference } from '../support/docker/plans.js';
import { freely, freshServiceId, pulled, type RuntimeBed } from './container-runtime-bed.js';

class LeaseLost extends Error {}

const withoutLease: Operation = { guard: () => Promise.reject(new LeaseLost('the lease is gone')) };

interface Scene {
  readonly serviceId: string;
  readonly containerId: string;
  readonly imageId: string;
  readonly registry: string;
}

const changes: Record<string, (runtime: ContainerRuntime, scene: Scene, operation: Operation) => Promise<unknown>> = {
  pullImage: (runtime, { registry }, operation) =>
    runtime.pullImage({ image: anImageReference(`${registry}/unpulled:1`), policy: 'always' }, operation),
  removeTag: (runtime, { registry }, operation) =>
    runtime.removeTag(anImageReference(`${registry}/unpulled:1`), operation),
  ensureNetwork: (runtime, { serviceId }, operation) =>
    runtime.ensureNetwork(
      serviceId,
      { key: 'b', name: `${serviceId}_b`, internal: false, labels: new Map() },
      operation,
    ),
  ensureVolume: (runtime, { serviceId }, operation) =>
    runtime.ensureVolume(serviceId, { key: 'b', name: `${serviceId}_b`, labels: new Map() }, operation),
  createContainer: (runtime, { serviceId, imageId }, operation) =>
    runtime.createContainer(aContainerSpec({ serviceId, imageId }, { name: 'other' }), operation),
  putFiles: (runtime, { containerId }, operation) =>
    runtime.putFiles(
      containerId,
      [{ path: '/tmp/late', content: new SecretText('late'), uid: 0, gid: 0, mode: 0o644 }],
      operation,
    ),
  start: (runtime, { containerId }, operation) => runtime.start(containerId, operation),
  stop: (runtime, { containerId }, operation) => runtime.stop(containerId, 0, operation),
  rename: (runtime, { containerId, serviceId }, operation) =>
    runtime.rename(containerId, `${serviceId}-renamed`, operation),
  removeContainer: (runtime, { containerId }, operation) => runtime.removeContainer(containerId, operation),
  removeNetwork: (runtime, { serviceId }, operation) => runtime.removeNetwork(`${serviceId}_a`, operation),
  removeVolume: (runtime, { serviceId }, operation) => runtime.removeVolume(`${serviceId}_a`, operation),
};

export function itObeysTheGuard(bedOf: () => RuntimeBed): void {
  describe('the guard of a change', () => {
    let scene: Scene;

    beforeAll(async () => {
      await bedOf().publish(`${bedOf().registry}/unpulled:1`);
    });

    beforeEach(async () => {
      const { runtime, registry } = bedOf();
      const serviceId = freshServiceId();
      const image = await pulled(bedOf());
      await runtime.ensureNetwork(
        serviceId,
        { key: 'a', name: `${serviceId}_a`, internal: false, labels: new Map() },
        freely,
      );
      await runtime.ensureVolume(serviceId, { key: 'a', name: `${serviceId}_a`, labels: new Map() }, freely);
      const { id } = await runtime.createContainer(aContainerSpec({ serviceId, imageId: image.id }), freely);
      scene = { serviceId, containerId: id, imageId: image.id, registry };
    });

    const everything = async () => {
      const { runtime, registry } = bedOf();
      return {
        owned: await runtime.listOwned(scene.serviceId),
        container: await runtime.inspect(scene.containerId),
        image: await runtime.inspectImage(anImageReference(`${registry}/unpulled:1`)),
      };
    };

    describe('a caller that has lost its lease', () => {
      it.each(Object.keys(changes))('changes nothing by %s and gets its own error back', async (name) => {
        const before = await everything();
        await expect(changes[name]!(bedOf().runtime, scene, withoutLease)).rejects.toThrow(LeaseLost);
        expect(await everything()).toEqual(before);
      });
    });

    describe('a caller that has given up', () => {
      it.each(Object.keys(changes))('gets its own reason back from %s', async (name) => {
        const reason = new Error('cancelled by hand');
        const cancelled: Operation = { ...freely, signal: AbortSignal.abort(reason) };
        await expect(changes[name]!(bedOf().runtime, scene, cancelled)).rejects.toBe(reason);
      });
    });
  });
}
