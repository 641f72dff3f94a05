import {
  ContainerCreateFailed,
  VolumeConflict,
} from '../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import type { NetworkPlan, VolumePlan } from '../../libs/services/src/domain/service-plan.js';
import { aContainerSpec } from '../support/docker/plans.js';
import { freely, freshServiceId, pulled, type RuntimeBed } from './container-runtime-bed.js';

export function itKeepsNetworksAndVolumes(bedOf: () => RuntimeBed): void {
  const networkOf = (serviceId: string, internal = false): NetworkPlan => ({
    key: 'default',
    name: `${serviceId}_default`,
    internal,
    labels: new Map([['tier', 'back']]),
  });
  const volumeOf = (serviceId: string): VolumePlan => ({ key: 'data', name: `${serviceId}_data`, labels: new Map() });

  describe('the disk', () => {
    it('is told by service, what containers have written included', async () => {
      const { runtime } = bedOf();
      const [serviceId, other] = [freshServiceId(), freshServiceId()];
      const image = await pulled(bedOf());
      const { id } = await runtime.createContainer(aContainerSpec({ serviceId, imageId: image.id }), freely);
      await runtime.start(id, freely);
      await bedOf().writeFile(id, '/big', 'x'.repeat(300_000));
      await runtime.ensureVolume(other, volumeOf(other), freely);
      const usage = await runtime.diskUsage();
      const { containers, images, volumes } = usage.get(serviceId)!;
      expect(containers).toEqual([{ id, writableBytes: expect.any(Number) }]);
      expect(containers[0]!.writableBytes).toBeGreaterThanOrEqual(300_000);
      expect(containers[0]!.writableBytes).toBeLessThan(1_000_000);
      expect(images).toEqual([
        { ref: expect.stringContaining(bedOf().registry), bytes: expect.any(Number), shared: false },
      ]);
      expect([images[0]!.bytes > 0, volumes]).toEqual([true, []]);
      const { bytes } = usage.get(other)!.volumes[0]!;
      expect(bytes).toBeLessThan(100_000);
      expect(usage.get(other)).toEqual({ volumes: [{ name: `${other}_data`, bytes }], containers: [], images: [] });
    });

    it('tells that an image is shared when containers of others are made from it', async () => {
      const { runtime } = bedOf();
      const services = [freshServiceId(), freshServiceId()];
      const image = await pulled(bedOf());
      for (const serviceId of services) {
        const { id } = await runtime.createContainer(aContainerSpec({ serviceId, imageId: image.id }), freely);
        await runtime.start(id, freely);
      }
      const usage = await runtime.diskUsage();
      for (const serviceId of services) expect(usage.get(serviceId)!.images).toMatchObject([{ shared: true }]);
    });
  });

  describe('networks', () => {
    it('stand once, however often they are asked for, and go once', async () => {
      const { runtime } = bedOf();
      const serviceId = freshServiceId();
      const plan = networkOf(serviceId, true);
      await runtime.ensureNetwork(serviceId, plan, freely);
      await runtime.ensureNetwork(serviceId, plan, freely);
      expect((await runtime.listOwned(serviceId)).networks).toEqual([
        { id: expect.any(String), name: plan.name, serviceId, internal: true },
      ]);
      await runtime.removeNetwork(plan.name, freely);
      await runtime.removeNetwork(plan.name, freely);
      expect((await runtime.listOwned(serviceId)).networks).toEqual([]);
    });

    it('are not taken over from another service, nor from someone else', async () => {
      const { runtime } = bedOf();
      const [serviceId, other] = [freshServiceId(), freshServiceId()];
      await runtime.ensureNetwork(other, networkOf(serviceId), freely);
      await expect(runtime.ensureNetwork(serviceId, networkOf(serviceId), freely)).rejects.toThrow(
        ContainerCreateFailed,
      );
      const foreign = await bedOf().makeForeign('network', `${other}_default`);
      await expect(runtime.ensureNetwork(other, networkOf(other), freely)).rejects.toThrow(ContainerCreateFailed);
      await expect(runtime.removeNetwork(`${other}_default`, freely)).rejects.toThrow(ContainerCreateFailed);
      expect(await bedOf().foreignStands('network', `${other}_default`)).toBe(true);
      await foreign.forget();
    });

    it('do not become internal, or open, under the same name', async () => {
      const { runtime } = bedOf();
      const serviceId = freshServiceId();
      await runtime.ensureNetwork(serviceId, networkOf(serviceId, false), freely);
      await expect(runtime.ensureNetwork(serviceId, networkOf(serviceId, true), freely)).rejects.toThrow(
        /cannot change whether it is internal/,
      );
    });

    it('go even while a container is still attached', async () => {
      const { runtime } = bedOf();
      const serviceId = freshServiceId();
      const image = await pulled(bedOf());
      const plan = networkOf(serviceId);
      await runtime.ensureNetwork(serviceId, plan, freely);
      const networks = [{ network: plan.name, aliases: ['web'] }];
      const { id } = await runtime.createContainer(
        aContainerSpec({ serviceId, imageId: image.id }, { networks }),
        freely,
      );
      await runtime.start(id, freely);
      await runtime.removeNetwork(plan.name, freely);
      expect((await runtime.listOwned(serviceId)).networks).toEqual([]);
    });
  });

  describe('volumes', () => {
    it('stand once, however often they are asked for, and go once', async () => {
      const { runtime } = bedOf();
      const serviceId = freshServiceId();
      const plan = volumeOf(serviceId);
      await runtime.ensureVolume(serviceId, plan, freely);
      await runtime.ensureVolume(serviceId, plan, freely);
      expect((await runtime.listOwned(serviceId)).volumes).toEqual([{ name: plan.name, serviceId }]);
      await runtime.removeVolume(plan.name, freely);
      await runtime.removeVolume(plan.name, freely);
      expect((await runtime.listOwned(serviceId)).volumes).toEqual([]);
    });

    it('are not taken over from another service, nor from someone else', async () => {
      const { runtime } = bedOf();
      const [serviceId, other] = [freshServiceId(), freshServiceId()];
      await runtime.ensureVolume(other, volumeOf(serviceId), freely);
      await expect(runtime.ensureVolume(serviceId, volumeOf(serviceId), freely)).rejects.toThrow(VolumeConflict);
      const foreign = await bedOf().makeForeign('volume', `${other}_data`);
      await expect(runtime.ensureVolume(other, volumeOf(other), freely)).rejects.toThrow(VolumeConflict);
      await expect(runtime.removeVolume(`${other}_data`, freely)).rejects.toThrow(VolumeConflict);
      expect(await bedOf().foreignStands('volume', `${other}_data`)).toBe(true);
      await foreign.forget();
    });

    it('stay while a container uses them, and outlive it', async () => {
      const { runtime } = bedOf();
      const serviceId = freshServiceId();
      const image = await pulled(bedOf());
      const plan = volumeOf(serviceId);
      await runtime.ensureVolume(serviceId, plan, freely);
      const mounts = [{ volume: plan.name, target: '/data', readOnly: false, noCopy: false }];
      const { id } = await runtime.createContainer(
        aContainerSpec({ serviceId, imageId: image.id }, { mounts }),
        freely,
      );
      await expect(runtime.removeVolume(plan.name, freely)).rejects.toMatchObject({ slug: 'volume_conflict' });
      await runtime.removeContainer(id, freely);
      expect((await runtime.listOwned(serviceId)).volumes).toEqual([{ name: plan.name, serviceId }]);
      await runtime.removeVolume(plan.name, freely);
    });

    it('are never taken for one of another service', async () => {
      const { runtime } = bedOf();
      const [serviceId, ...others] = [freshServiceId(), freshServiceId(), freshServiceId(), freshServiceId()];
      const image = await pulled(bedOf());
      for (const owner of [...others, serviceId]) await runtime.ensureVolume(owner, volumeOf(owner), freely);
      const mounts = [{ volume: `${serviceId}_data`, target: '/data', readOnly: false, noCopy: false }];
      await runtime.createContainer(aContainerSpec({ serviceId, imageId: image.id }, { mounts }), freely);
      // A swarm that is asked for two values of one label picks one of them by chance.
      for (let round = 0; round < 10; round += 1)
        await expect(runtime.removeVolume(`${serviceId}_data`, freely)).rejects.toThrow(VolumeConflict);
      for (const other of others) await runtime.removeVolume(`${other}_data`, freely);
      expect((await runtime.listOwned(null)).volumes).toEqual([{ name: `${serviceId}_data`, serviceId }]);
    });
  });

  describe('the list of what is ours', () => {
    it('holds one service, or all of them, and nothing without our labels', async () => {
      const { runtime } = bedOf();
      const [one, two] = [freshServiceId(), freshServiceId()];
      const image = await pulled(bedOf());
      const foreign = await bedOf().makeForeign('container', `${one}-foreign`);
      const created = await Promise.all(
        [one, two].map((serviceId) =>
          runtime.createContainer(aContainerSpec({ serviceId, imageId: image.id }), freely),
        ),
      );
      const ids = async (serviceId: string | null) =>
        (await runtime.listOwned(serviceId)).containers.map(({ id }) => id).sort();
      expect(await ids(one)).toEqual([created[0]!.id]);
      expect(await ids(null)).toEqual(created.map(({ id }) => id).sort());
      await foreign.forget();
    });
  });
}
