import { SecretText } from '#kernel/crypto/secret-text';
import { ContainerCreateFailed } from '../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import type { ContainerFile, LocalImage } from '../../libs/services/src/application/ports/engine/container-runtime.js';
import type { ContainerPlan, Healthcheck } from '../../libs/services/src/domain/service-plan.js';
import { eventually } from '../support/docker/eventually.js';
import { aContainerSpec } from '../support/docker/plans.js';
import { freely, freshServiceId, pulled, type RuntimeBed } from './container-runtime-bed.js';

export function itSurroundsContainers(bedOf: () => RuntimeBed): void {
  describe('the surroundings of a container', () => {
    let image: LocalImage;
    let serviceId: string;

    const created = async (plan: Partial<ContainerPlan> = {}) =>
      (await bedOf().runtime.createContainer(aContainerSpec({ serviceId, imageId: image.id }, plan), freely)).id;
    const details = async (id: string) => (await bedOf().runtime.inspect(id))!;

    beforeEach(async () => {
      image = await pulled(bedOf());
      serviceId = freshServiceId();
    });

    describe('files', () => {
      const file = (given: Partial<ContainerFile> = {}): ContainerFile => ({
        path: '/run/secrets/password',
        content: new SecretText('s3cret\n'),
        uid: 1000,
        gid: 1001,
        mode: 0o440,
        ...given,
      });

      it('are in the container before it starts, with owner and permissions', async () => {
        const { runtime } = bedOf();
        const id = await created();
        const deep = file({
          path: `/etc/${'long-folder-name/'.repeat(8)}app.conf`,
          content: new SecretText('a=1'),
          uid: 0,
        });
        await runtime.putFiles(id, [file(), deep], freely);
        await runtime.putFiles(id, [file(), deep], freely);
        await runtime.start(id, freely);
        expect(await bedOf().readFile(id, '/run/secrets/password')).toEqual({
          text: 's3cret\n',
          uid: 1000,
          gid: 1001,
          mode: 0o440,
        });
        expect((await bedOf().readFile(id, deep.path)).text).toBe('a=1');
      });

      it.each(['relative', '/a/../../etc/passwd', '/a//b', '/folder/', '/.'])('are refused at %s', async (path) => {
        const id = await created();
        await expect(bedOf().runtime.putFiles(id, [file({ path })], freely)).rejects.toThrow(ContainerCreateFailed);
      });
    });

    describe('health', () => {
      const check = (test: string[]): Healthcheck => ({
        test,
        intervalMs: 200,
        timeoutMs: 2_000,
        startPeriodMs: null,
        startIntervalMs: null,
        retries: 2,
      });

      it('is starting and then healthy while the probe succeeds', async () => {
        const id = await created({ healthcheck: check(['CMD', 'true']) });
        await bedOf().runtime.start(id, freely);
        expect((await details(id)).health).toBe('starting');
        const healthy = await eventually(
          () => details(id),
          ({ health }) => health === 'healthy',
        );
        expect(healthy).toMatchObject({ failingStreak: 0, lastProbe: { exitCode: 0, at: expect.any(Date) } });
      });

      it('is unhealthy after as many failed probes as the plan allows', async () => {
        const id = await created({ healthcheck: check(['CMD', 'sh', '-c', 'echo broken; false']) });
        await bedOf().runtime.start(id, freely);
        const unhealthy = await eventually(
          () => details(id),
          ({ health }) => health === 'unhealthy',
        );
        expect(unhealthy.failingStreak).toBeGreaterThanOrEqual(2);
        expect(unhealthy.lastProbe).toMatchObject({ exitCode: 1, output: 'broken\n' });
      });

      it("comes from the image's own probe when the plan has none, unless the plan switches it off", async () => {
        image = await pulled(bedOf(), 'probing', { healthcheck: 'true' });
        const probed = await created();
        await bedOf().runtime.start(probed, freely);
        expect((await details(probed)).health).not.toBe('none');
        const silent = await created({ name: 'silent', healthcheck: check(['NONE']) });
        await bedOf().runtime.start(silent, freely);
        expect((await details(silent)).health).toBe('none');
      });
    });

    describe('two containers', () => {
      const server = { command: ['httpd', '-f', '-p', '8080'] };
      const network = () => ({ key: 'default', name: `${serviceId}_default`, internal: false, labels: new Map() });

      it('find each other by name on a network they share, on every network, and not without one', async () => {
        const { runtime } = bedOf();
        const back = { ...network(), key: 'back', name: `${serviceId}_back` };
        await runtime.ensureNetwork(serviceId, network(), freely);
        await runtime.ensureNetwork(serviceId, back, freely);
        const served = {
          ...server,
          networks: [
            { network: network().name, aliases: ['web', 'www'] },
            { network: back.name, aliases: ['web'] },
          ],
        };
        const web = await created(served);
        // A second run of the same step joins nothing twice.
        expect(await created(served)).toBe(web);
        const near = await created({ name: 'near', networks: [{ network: network().name, aliases: ['near'] }] });
        const behind = await created({ name: 'behind', networks: [{ network: back.name, aliases: ['behind'] }] });
        const alone = await created({ name: 'alone' });
        for (const id of [web, near, behind, alone]) await runtime.start(id, freely);
        await eventually(() => bedOf().reaches(near, 'web'), Boolean);
        expect(await bedOf().reaches(near, 'www')).toBe(true);
        const { hostAddress } = await details(web);
        expect(await bedOf().isReachedAt(hostAddress!)).toBe(true);
        expect(await bedOf().reaches(behind, 'web')).toBe(true);
        expect(await bedOf().reaches(behind, 'near')).toBe(false);
        expect(await bedOf().reaches(alone, 'web')).toBe(false);
        const attached = (await details(web)).networks.map(({ network: name }) => name).sort();
        expect(attached).toEqual([back.name, network().name].sort());
        await runtime.stop(near, 0, freely);
        expect((await details(near)).hostAddress).toBeNull();
      });

      it('cannot have the same host port, and the second one starts once it is free', async () => {
        const { runtime } = bedOf();
        const { portAddress: hostIp } = bedOf();
        const occupied = await bedOf().occupyPort();
        await runtime.ensureNetwork(serviceId, network(), freely);
        const id = await created({
          ...server,
          ports: [{ hostIp, hostPort: occupied.port, containerPort: 8080, protocol: 'tcp' }],
          networks: [{ network: network().name, aliases: ['web'] }],
        });
        await expect(runtime.start(id, freely)).rejects.toMatchObject({
          slug: 'port_conflict',
          message: expect.stringContaining(String(occupied.port)),
        });
        await occupied.release();
        await runtime.start(id, freely);
        expect((await details(id)).publishedPorts).toEqual([
          { containerPort: 8080, protocol: 'tcp', hostIp, hostPort: occupied.port },
        ]);
      });
    });
  });
}
