import { ContainerCreateFailed } from '../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import type { LocalImage } from '../../libs/services/src/application/ports/engine/container-runtime.js';
import type { ContainerPlan } from '../../libs/services/src/domain/service-plan.js';
import { eventually } from '../support/docker/eventually.js';
import { aContainerSpec } from '../support/docker/plans.js';
import { freely, freshServiceId, pulled, type RuntimeBed } from './container-runtime-bed.js';

export function itRunsContainers(bedOf: () => RuntimeBed): void {
  let image: LocalImage;
  let serviceId: string;

  const specOf = (plan: Partial<ContainerPlan> = {}, given: object = {}) =>
    aContainerSpec({ serviceId, imageId: image.id, ...given }, plan);
  const created = async (plan: Partial<ContainerPlan> = {}) =>
    (await bedOf().runtime.createContainer(specOf(plan), freely)).id;
  const started = async (plan: Partial<ContainerPlan> = {}) => {
    const id = await created(plan);
    await bedOf().runtime.start(id, freely);
    return id;
  };
  const details = async (id: string) => (await bedOf().runtime.inspect(id))!;

  describe('a container', () => {
    beforeEach(async () => {
      image = await pulled(bedOf());
      serviceId = freshServiceId();
    });

    it('is made and not started, and carries whose it is', async () => {
      const spec = specOf();
      const { id, adopted } = await bedOf().runtime.createContainer(spec, freely);
      expect(adopted).toBe(false);
      expect(await details(id)).toMatchObject({
        id,
        name: spec.name,
        owner: spec.owner,
        imageId: image.id,
        lifecycle: 'created',
        exitCode: null,
        startedAt: null,
        restartCount: 0,
      });
    });

    it('is adopted when an earlier run of the same step has made it', async () => {
      const first = await bedOf().runtime.createContainer(specOf(), freely);
      expect(await bedOf().runtime.createContainer(specOf(), freely)).toEqual({ id: first.id, adopted: true });
      expect((await bedOf().runtime.listOwned(serviceId)).containers).toHaveLength(1);
    });

    it.each([
      ['another deployment', { deploymentId: 'deployment-2' }],
      ['another specification', { specHash: 'hash-2' }],
      ['another service', { serviceId: 'someone-else' }],
    ])('is not adopted when its name belongs to %s', async (_, difference) => {
      const spec = specOf();
      await bedOf().runtime.createContainer(spec, freely);
      const other = { ...spec, owner: { ...spec.owner, ...difference } };
      await expect(bedOf().runtime.createContainer(other, freely)).rejects.toThrow(ContainerCreateFailed);
    });

    it('is not adopted when its name belongs to someone without our labels', async () => {
      const spec = specOf();
      const foreign = await bedOf().makeForeign('container', spec.name);
      await expect(bedOf().runtime.createContainer(spec, freely)).rejects.toThrow(/name .* is taken/);
      expect(await bedOf().foreignStands('container', spec.name)).toBe(true);
      await foreign.forget();
    });

    it('is not made of an image that the engine does not have', async () => {
      const spec = specOf({}, { imageId: `sha256:${'0'.repeat(64)}` });
      await expect(bedOf().runtime.createContainer(spec, freely)).rejects.toThrow(ContainerCreateFailed);
    });

    it('starts and stops, however often it is asked to', async () => {
      const { runtime } = bedOf();
      const id = await created({ init: true });
      await runtime.start(id, freely);
      await runtime.start(id, freely);
      const running = await details(id);
      expect(running).toMatchObject({ lifecycle: 'running', health: 'none', exitCode: null });
      expect(running.startedAt).toBeInstanceOf(Date);
      await runtime.stop(id, 5_000, freely);
      await runtime.stop(id, 5_000, freely);
      expect(await details(id)).toMatchObject({ lifecycle: 'exited', exitCode: 143 });
      await runtime.start(id, freely);
      expect((await details(id)).lifecycle).toBe('running');
    });

    it('is killed when it does not stop within its grace', async () => {
      // Without an init process PID 1 ignores the signals that it does not handle.
      const id = await started({ init: false });
      await bedOf().runtime.stop(id, 1_000, freely);
      expect(await details(id)).toMatchObject({ lifecycle: 'exited', exitCode: 137 });
    });

    it('tells with which code it ended by itself', async () => {
      const id = await started({ command: ['sh', '-c', 'exit 3'] });
      const ended = await eventually(
        () => details(id),
        ({ lifecycle }) => lifecycle === 'exited',
      );
      expect(ended).toMatchObject({ exitCode: 3, oomKilled: false });
      expect(ended.finishedAt).toBeInstanceOf(Date);
    });

    it('is started again as often as its restart policy says', async () => {
      const id = await started({
        command: ['sh', '-c', 'exit 4'],
        restart: { name: 'on-failure', maximumRetries: 2 },
      });
      const ended = await eventually(
        () => details(id),
        ({ lifecycle, restartCount }) => lifecycle === 'exited' && restartCount === 2,
      );
      expect(ended.exitCode).toBe(4);
    });

    it('fails to start when its command does not exist, and says so', async () => {
      const id = await created({ command: ['/no/such/program'] });
      await expect(bedOf().runtime.start(id, freely)).rejects.toMatchObject({
        slug: 'container_start_failed',
        message: expect.stringContaining('/no/such/program'),
      });
    });

    it('gets a new name, twice, but not a name that is taken', async () => {
      const { runtime } = bedOf();
      const id = await created();
      await runtime.rename(id, `${serviceId}-old`, freely);
      await runtime.rename(id, `${serviceId}-old`, freely);
      expect((await details(id)).name).toBe(`${serviceId}-old`);
      const second = await created();
      await expect(runtime.rename(second, `${serviceId}-old`, freely)).rejects.toThrow(/name .* is taken/);
    });

    it('goes while it runs, and a second removal finds nothing to do', async () => {
      const { runtime } = bedOf();
      const id = await started();
      await runtime.removeContainer(id, freely);
      await runtime.removeContainer(id, freely);
      expect(await runtime.inspect(id)).toBeNull();
      expect((await runtime.listOwned(serviceId)).containers).toEqual([]);
    });

    it('that is gone cannot start, but counts as stopped', async () => {
      const { runtime } = bedOf();
      const id = await created();
      await runtime.removeContainer(id, freely);
      await expect(runtime.start(id, freely)).rejects.toMatchObject({ slug: 'container_start_failed' });
      await expect(runtime.stop(id, 1_000, freely)).resolves.toBeUndefined();
    });
  });
}
