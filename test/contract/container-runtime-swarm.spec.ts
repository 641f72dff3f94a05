import { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerEvent } from '../../libs/services/src/application/ports/engine/container-state.js';
import { FilesAfterStart } from '../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import { DockerodeContainerLogs } from '../../libs/services/src/infrastructure/docker/streams/dockerode-container-logs.js';
import { DockerodeContainerStats } from '../../libs/services/src/infrastructure/docker/streams/dockerode-container-stats.js';
import { SwarmContainerLogs } from '../../libs/services/src/infrastructure/docker/swarm/streams/swarm-container-logs.js';
import { SwarmContainerRuntime } from '../../libs/services/src/infrastructure/docker/swarm/swarm-container-runtime.js';
import { SwarmContainerStats } from '../../libs/services/src/infrastructure/docker/swarm/streams/swarm-container-stats.js';
import type { ContainerPlan } from '../../libs/services/src/domain/service-plan.js';
import { runIn } from '../support/docker/docker-runtime-bed.js';
import { engineJson } from '../support/docker/engine-http.js';
import { eventually } from '../support/docker/eventually.js';
import { ownEngineDefect } from '../support/docker/own-engine/own-engine.js';
import { aContainerSpec, anImageReference } from '../support/docker/plans.js';
import { openSwarmBed, type SwarmBed } from '../support/docker/swarm-runtime-bed.js';
import { freely, freshServiceId, pulled } from './container-runtime-bed.js';
import { itIsAContainerRuntime } from './container-runtime.contract.js';

const MEBIBYTE = 1024 * 1024;

const defect = ownEngineDefect();
if (defect !== null && process.env.CI !== 'true')
  process.stderr.write(`skipped: a swarm as container runtime: ${defect}\n`);
const describeWithSwarm = defect === null || process.env.CI === 'true' ? describe : describe.skip;

describeWithSwarm('a swarm as container runtime', () => {
  let bed: SwarmBed;

  itIsAContainerRuntime(async () => (bed = await openSwarmBed()));

  /** Of an image that every node can pull. */
  const created = async (plan: Partial<ContainerPlan> = {}, serviceId = freshServiceId()): Promise<string> => {
    const { id: imageId } = await pulled(bed);
    const image = anImageReference(`${bed.registry}/plain:1`);
    const environment = new Map([['LITERAL', new SecretText('{{.Node.Hostname}} {{{')]]);
    const spec = { ...aContainerSpec({ serviceId, imageId }, { image, ...plan }), environment };
    return (await bed.runtime.createContainer(spec, freely)).id;
  };
  const details = async (id: string) => (await bed.runtime.inspect(id))!;

  describe('what runs in a swarm', () => {
    const started = async (plan: Partial<ContainerPlan> = {}) => {
      const id = await created(plan);
      await bed.runtime.start(id, freely);
      return (await bed.runtime.containerIdOf(id))!;
    };
    const inside = async (containerId: string, command: string) =>
      (await runIn(containerId, ['sh', '-c', command])).output;

    it('is hardened although the plan asks for nothing', async () => {
      const containerId = await started();
      expect(await engineJson('GET', `/containers/${containerId}/json`)).toMatchObject({
        Image: (await pulled(bed)).id,
        HostConfig: {
          Binds: null,
          Privileged: false,
          CapDrop: ['ALL'],
          IpcMode: 'private',
          PidMode: '',
          Devices: null,
          PidsLimit: 64,
          NanoCpus: 500_000_000,
          Memory: 64 * MEBIBYTE,
          LogConfig: { Type: 'json-file', Config: { 'max-size': '10000000', 'max-file': '3' } },
        },
      });
      const status = await inside(containerId, 'cat /proc/1/status');
      expect(status).toMatch(/NoNewPrivs:\s+1/);
      expect(status).toMatch(/CapBnd:\s+0{16}/);
      expect(await inside(containerId, 'ls /sys/class/net')).toBe('lo\n');
    });

    it('follows the plan in what a swarm says in other words', async () => {
      const containerId = await started({
        entrypoint: [],
        command: ['sh', '-c', 'sleep 60'],
        readOnly: true,
        user: '1000:1000',
        hostname: 'box',
        workingDir: '/tmp',
        groupAdd: ['5'],
        tmpfs: [{ target: '/cache', sizeBytes: MEBIBYTE, mode: 0o1777, uid: null, gid: null }],
        shmSizeBytes: 2 * MEBIBYTE,
        extraHosts: [{ host: 'db.internal', ip: '192.0.2.1' }],
        ulimits: [{ name: 'nofile', soft: 100, hard: 200 }],
        security: { noNewPrivileges: true, capDrop: ['ALL'], capAdd: ['NET_BIND_SERVICE'] },
      });
      const mounts = await inside(containerId, 'cat /proc/mounts');
      for (const [target, size] of [
        ['/cache', 1024],
        ['/dev/shm', 2048],
      ] as const) {
        const options = new RegExp(`^tmpfs ${target} tmpfs (.+) 0 0$`, 'm').exec(mounts)?.[1]?.split(',') ?? [];
        expect(options).toEqual(expect.arrayContaining(['rw', 'nosuid', 'nodev', 'noexec', `size=${size}k`]));
      }
      expect(await inside(containerId, 'id; echo $LITERAL; cat /proc/sys/kernel/hostname')).toBe(
        'uid=1000 gid=1000 groups=5,1000\n{{.Node.Hostname}} {{{\nbox\n',
      );
      // Of the container's own process: the engine's exec has been seen to raise the soft limit of its commands.
      expect(await inside(containerId, 'cat /proc/1/limits')).toMatch(/^Max open files +100 +200 +files/m);
      expect(await inside(containerId, 'cat /etc/hosts')).toContain('192.0.2.1\tdb.internal');
      expect(await inside(containerId, 'touch /x 2>&1')).toContain('Read-only file system');
    });

    it('gets files before it is started, and no others afterwards', async () => {
      const id = await created();
      const file = (text: string) => ({
        path: '/run/word',
        content: new SecretText(text),
        uid: 0,
        gid: 0,
        mode: 0o400,
      });
      await bed.runtime.putFiles(id, [file('first')], freely);
      await bed.runtime.start(id, freely);
      await expect(bed.runtime.putFiles(id, [file('second')], freely)).rejects.toThrow(FilesAfterStart);
      expect(await inside((await bed.runtime.containerIdOf(id))!, 'cat /run/word')).toBe('first');
    });

    it('is measured and read by the id that the panel knows, over a restart', async () => {
      const host = bed.swarm.host;
      const stats = new SwarmContainerStats(bed.runtime, new DockerodeContainerStats({ host }));
      const logs = new SwarmContainerLogs(bed.runtime, new DockerodeContainerLogs({ host }));
      const all = { tail: Infinity, afterMicros: null };
      const id = await created({ entrypoint: [], command: ['sh', '-c', 'echo begun; exec sleep 60'] });
      expect([await stats.sample(id), await logs.recent(id, all)]).toEqual([null, []]);
      for (let round = 0; round < 2; round += 1) {
        await bed.runtime.start(id, freely);
        const lines = await eventually(
          () => logs.recent(id, all),
          ({ length }) => length > 0,
        );
        expect(lines).toEqual([expect.objectContaining({ containerId: id, text: 'begun', stream: 'stdout' })]);
        expect(await stats.sample(id)).toMatchObject({ containerId: id, memory: { limitBytes: 64 * MEBIBYTE } });
        const end = new AbortController();
        const followed = [];
        for await (const line of logs.follow(id, all, end.signal)) {
          followed.push(line);
          end.abort();
        }
        expect(followed).toEqual(lines);
        await bed.runtime.stop(id, 0, freely);
        expect(await stats.sample(id)).toBeNull();
      }
    });

    it.each<[string, Partial<ContainerPlan>]>([
      ['ports', { ports: [{ hostIp: '127.0.0.1', hostPort: 18_080, containerPort: 80, protocol: 'tcp' }] }],
      ['tmpfs', { tmpfs: [{ target: '/cache', sizeBytes: MEBIBYTE, mode: 0o700, uid: 1000, gid: null }] }],
      ['command', { entrypoint: [], command: [] }],
    ])('is refused where a swarm cannot carry out %s', async (key, plan) => {
      await expect(created(plan)).rejects.toMatchObject({
        slug: 'container_create_failed',
        message: expect.stringMatching(new RegExp(`^${key}: `)),
      });
    });
  });

  describe('a second node', () => {
    let outside: SwarmContainerRuntime;

    beforeAll(async () => {
      outside = new SwarmContainerRuntime({ host: (await bed.swarm.startWorker()).host });
    }, 60_000);

    it('is of no use to a panel before it is in a swarm, nor as a worker', async () => {
      await pulled(bed);
      const plan = { key: 'x', name: 'x', internal: false, labels: new Map() };
      const calls = [
        outside.version(),
        outside.check(),
        outside.listOwned(null),
        outside.ensureNetwork('x', plan, freely),
        outside.createContainer(aContainerSpec({ serviceId: 'x', imageId: 'sha256:1' }), freely),
      ];
      const reason = { slug: 'docker_unavailable', message: expect.stringContaining('swarm') };
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ status: 'rejected', reason });
      await bed.swarm.joinWorker();
      await expect(outside.version()).rejects.toThrow('is a worker of a swarm');
      expect(await bed.runtime.check()).toBe(2);
    });

    it('runs what the first one does not take, and everything is told from there', async () => {
      bed.swarm.useManager(false);
      const serviceId = freshServiceId();
      const seen: ContainerEvent[] = [];
      const ended = new AbortController();
      const listening = (async () => {
        for await (const event of bed.runtime.events(null, ended.signal))
          if (event.kind === 'container' && event.serviceId === serviceId) seen.push(event);
      })();
      const told = (change: string) =>
        eventually(
          () => Promise.resolve(seen),
          (events) => events.some((event) => event.change === change),
          20_000,
        );
      const id = await created({ init: true }, serviceId);
      await told('created');
      await bed.runtime.start(id, freely);
      expect(await details(id)).toMatchObject({ lifecycle: 'running', exitCode: null, health: 'none' });
      expect(await bed.runtime.containerIdOf(id)).toBeNull();
      await told('started');
      await bed.runtime.stop(id, 1_000, freely);
      expect(await details(id)).toMatchObject({ lifecycle: 'exited', exitCode: 143 });
      const failing = await created({ name: 'failing', command: ['sh', '-c', 'exit 3'] }, serviceId);
      await bed.runtime.start(failing, freely);
      await eventually(
        () => details(failing),
        ({ lifecycle, exitCode }) => lifecycle === 'exited' && exitCode === 3,
      );
      expect((await told('died')).find(({ change }) => change === 'died')).toMatchObject({
        containerId: failing,
        exitCode: 3,
      });
      await expect(
        bed.runtime.start(await created({ name: 'wrong', command: ['/no/such/program'] }, serviceId), freely),
      ).rejects.toMatchObject({ slug: 'container_start_failed', message: expect.stringContaining('/no/such/program') });
      ended.abort();
      await listening;
    });

    it('never runs what has its volume on the first one', async () => {
      bed.swarm.useManager(false);
      const serviceId = freshServiceId();
      const volume = `${serviceId}_data`;
      await bed.runtime.ensureVolume(serviceId, { key: 'data', name: volume, labels: new Map() }, freely);
      const mounts = [{ volume, target: '/data', readOnly: false, noCopy: false }];
      const id = await created({ mounts }, serviceId);
      await expect(bed.runtime.start(id, freely)).rejects.toMatchObject({
        slug: 'container_start_failed',
        message: expect.stringContaining('no suitable node'),
      });
      bed.swarm.useManager(true);
      await bed.runtime.start(id, freely);
      expect(await bed.runtime.containerIdOf(id)).not.toBeNull();
    });
  });
});
