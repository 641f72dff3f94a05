import * as fc from 'fast-check';
import { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerPlan } from '../../../libs/services/src/domain/service-plan.js';
import { DockerodeContainerRuntime } from '../../../libs/services/src/infrastructure/docker/dockerode-container-runtime.js';
import { toCreateOptions } from '../../../libs/services/src/infrastructure/docker/to-create-options.js';
import { clear, freely, freshServiceId } from '../../contract/container-runtime-bed.js';
import { engineHost, engineJson } from '../../support/docker/engine-http.js';
import { describeWithEngine } from '../../support/docker/engine.js';
import { forgetImages, makeImage } from '../../support/docker/images.js';
import { aContainerSpec } from '../../support/docker/plans.js';

const MEBIBYTE = 1024 * 1024;
const IMAGE = 'test-hardened:1';

interface Inspected {
  readonly Config: Record<string, unknown>;
  readonly HostConfig: Record<string, unknown>;
}

describe('what the engine is asked to create', () => {
  const text = fc.string({ minLength: 1, maxLength: 20 });
  const anyPlan = fc.record({
    command: fc.option(fc.array(text)),
    user: fc.option(text),
    hostname: fc.option(text),
    mounts: fc.array(fc.record({ volume: text, target: text, readOnly: fc.boolean(), noCopy: fc.boolean() })),
    labels: fc.dictionary(text, text).map((labels) => new Map(Object.entries(labels))),
    ports: fc.array(
      fc.record({
        hostIp: fc.constantFrom('127.0.0.1', '0.0.0.0'),
        hostPort: fc.integer({ min: 1024, max: 65_535 }),
        containerPort: fc.integer({ min: 1, max: 65_535 }),
        protocol: fc.constantFrom('tcp' as const, 'udp' as const),
      }),
    ),
  });

  it('never mounts the host, takes a namespace of it, or puts a secret into a label, whatever the plan says', () => {
    fc.assert(
      fc.property(anyPlan, fc.uuid(), (plan, password) => {
        const spec = aContainerSpec({ serviceId: 'svc', imageId: 'sha256:1' }, plan);
        const environment = new Map([['PASSWORD', new SecretText(password)]]);
        const options = toCreateOptions({ ...spec, environment }, { 'panel.service': 'svc' });
        const host = options.HostConfig!;
        const forbidden = [
          'Binds',
          'Devices',
          'PidMode',
          'UTSMode',
          'UsernsMode',
          'CgroupParent',
          'Runtime',
          'VolumesFrom',
        ];
        expect(forbidden.filter((key) => key in host)).toEqual([]);
        expect(host.Privileged).toBe(false);
        expect(host.NetworkMode).toBe('none');
        for (const mount of host.Mounts ?? []) {
          expect(mount.Type).toBe('volume');
          expect(mount.VolumeOptions).not.toHaveProperty('DriverConfig');
        }
        expect(JSON.stringify(options.Labels)).not.toContain(password);
        expect(options.Labels?.['panel.service']).toBe('svc');
      }),
    );
  });
});

describeWithEngine('what the engine has created', () => {
  const runtime = new DockerodeContainerRuntime({ host: engineHost(), instance: `test-hardened-${process.pid}` });
  let imageId: string;

  beforeAll(async () => {
    imageId = await makeImage(IMAGE, {
      instructions: ['ENTRYPOINT ["sh"]', 'CMD ["-c", "exit 9"]', 'VOLUME /anonymous'],
    });
  });

  afterEach(() => clear(runtime));

  afterAll(() => forgetImages('test-hardened'));

  const inspectCreated = async (plan: Partial<ContainerPlan> = {}, serviceId = freshServiceId()) => {
    const { id } = await runtime.createContainer(aContainerSpec({ serviceId, imageId }, plan), freely);
    return { id, ...(await engineJson<Inspected>('GET', `/containers/${id}/json`)) };
  };

  it('is hardened although the plan asks for nothing', async () => {
    const { HostConfig } = await inspectCreated();
    expect(HostConfig).toMatchObject({
      Binds: null,
      Privileged: false,
      CapAdd: [],
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      NetworkMode: 'none',
      IpcMode: 'private',
      PidMode: '',
      UTSMode: '',
      UsernsMode: '',
      CgroupParent: '',
      Runtime: 'runc',
      Devices: null,
      DeviceRequests: null,
      VolumesFrom: null,
      PublishAllPorts: false,
      AutoRemove: false,
      PidsLimit: 64,
      NanoCpus: 500_000_000,
      Memory: 64 * MEBIBYTE,
      MemorySwap: 64 * MEBIBYTE,
      RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10000000', 'max-file': '3' } },
    });
  });

  it('follows the plan in everything that a plan can say', async () => {
    const serviceId = freshServiceId();
    const volume = `${serviceId}_data`;
    await runtime.ensureVolume(serviceId, { key: 'data', name: volume, labels: new Map([['tier', 'back']]) }, freely);
    const { Config, HostConfig } = await inspectCreated(
      {
        command: ['sleep', '1'],
        entrypoint: ['sh', '-c'],
        user: '1000:1000',
        workingDir: '/tmp',
        hostname: 'box',
        stopGraceMs: 1_500,
        stopSignal: 'SIGINT',
        init: true,
        readOnly: true,
        labels: new Map([['tier', 'front']]),
        mounts: [{ volume, target: '/data', readOnly: true, noCopy: true }],
        tmpfs: [{ target: '/cache', sizeBytes: MEBIBYTE, mode: 0o1777, uid: 1000, gid: null }],
        expose: [{ port: 9000, protocol: 'udp' }],
        ports: [{ hostIp: '127.0.0.1', hostPort: 18_080, containerPort: 80, protocol: 'tcp' }],
        restart: { name: 'on-failure', maximumRetries: 4 },
        ulimits: [{ name: 'nofile', soft: 100, hard: 200 }],
        extraHosts: [{ host: 'db.internal', ip: '192.0.2.1' }],
        dns: ['192.0.2.53'],
        groupAdd: ['5'],
        shmSizeBytes: MEBIBYTE,
        security: { noNewPrivileges: true, capDrop: ['ALL'], capAdd: ['NET_BIND_SERVICE'] },
        resources: { cpus: 1.25, memoryBytes: 32 * MEBIBYTE, memoryReservationBytes: 16 * MEBIBYTE, pids: 9 },
        logging: { driver: 'local', maxSizeBytes: 1_000_000, maxFiles: 2 },
        healthcheck: {
          test: ['CMD', 'true'],
          intervalMs: 1_000,
          timeoutMs: 2_000,
          startPeriodMs: 3_000,
          startIntervalMs: null,
          retries: 5,
        },
      },
      serviceId,
    );
    expect(Config).toMatchObject({
      Cmd: ['sleep', '1'],
      Entrypoint: ['sh', '-c'],
      User: '1000:1000',
      WorkingDir: '/tmp',
      Hostname: 'box',
      StopTimeout: 2,
      StopSignal: 'SIGINT',
      Env: expect.arrayContaining(['GREETING=hello']),
      Labels: { tier: 'front', 'panel.service': serviceId, 'panel.role': 'web' },
      ExposedPorts: { '80/tcp': {}, '9000/udp': {} },
      Healthcheck: { Test: ['CMD', 'true'], Interval: 1e9, Timeout: 2e9, StartPeriod: 3e9, Retries: 5 },
    });
    expect(HostConfig).toMatchObject({
      Init: true,
      ReadonlyRootfs: true,
      Mounts: [{ Type: 'volume', Source: volume, Target: '/data', ReadOnly: true, VolumeOptions: { NoCopy: true } }],
      Tmpfs: { '/cache': 'rw,nosuid,nodev,noexec,size=1048576,mode=1777,uid=1000' },
      PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '18080' }] },
      RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 4 },
      Ulimits: [{ Name: 'nofile', Soft: 100, Hard: 200 }],
      ExtraHosts: ['db.internal:192.0.2.1'],
      Dns: ['192.0.2.53'],
      GroupAdd: ['5'],
      ShmSize: MEBIBYTE,
      CapAdd: ['NET_BIND_SERVICE'],
      NanoCpus: 1_250_000_000,
      MemoryReservation: 16 * MEBIBYTE,
      PidsLimit: 9,
      LogConfig: { Type: 'local', Config: { 'max-size': '1000000', 'max-file': '2' } },
    });
  });

  it('has volumes that carry no driver options, and bridges that carry our labels', async () => {
    const serviceId = freshServiceId();
    const name = `${serviceId}_x`;
    await runtime.ensureVolume(serviceId, { key: 'x', name, labels: new Map() }, freely);
    await runtime.ensureNetwork(serviceId, { key: 'x', name, internal: true, labels: new Map() }, freely);
    expect(await engineJson('GET', `/volumes/${name}`)).toMatchObject({
      Driver: 'local',
      Options: null,
      Labels: { 'panel.service': serviceId },
    });
    expect(await engineJson('GET', `/networks/${name}`)).toMatchObject({
      Driver: 'bridge',
      Internal: true,
      Attachable: false,
      Labels: { 'panel.service': serviceId },
    });
  });

  it('is not made with a volume of our name that mounts the host', async () => {
    const serviceId = freshServiceId();
    const name = `${serviceId}_trap`;
    const labels = { 'panel.service': serviceId, 'panel.instance': `test-hardened-${process.pid}` };
    const DriverOpts = { type: 'none', o: 'bind', device: '/etc' };
    await engineJson('POST', '/volumes/create', { Name: name, Labels: labels, DriverOpts });
    await expect(
      runtime.ensureVolume(serviceId, { key: 'trap', name, labels: new Map() }, freely),
    ).rejects.toMatchObject({ slug: 'volume_conflict' });
  });

  it.each<[string, Partial<ContainerPlan>, string[] | null, string[] | null]>([
    ['the image’s own', {}, ['sh'], ['-c', 'exit 9']],
    ['another command', { command: ['-c', 'true'] }, ['sh'], ['-c', 'true']],
    ['no command', { command: [] }, ['sh'], []],
    ['another entrypoint, which drops the command', { entrypoint: ['sleep'] }, ['sleep'], null],
    ['no entrypoint, which keeps the command', { entrypoint: [] }, [], ['-c', 'exit 9']],
    ['no entrypoint and a command', { entrypoint: [], command: ['sleep', '5'] }, [], ['sleep', '5']],
  ])('runs %s', async (_, plan, entrypoint, command) => {
    const { Config } = await inspectCreated(plan);
    expect({ entrypoint: Config.Entrypoint, command: Config.Cmd }).toEqual({ entrypoint, command });
  });

  it('leaves no anonymous volume behind, which nobody could find again', async () => {
    const { id } = await inspectCreated();
    const volumes = async () =>
      (await engineJson<{ Volumes: { Name: string }[] | null }>('GET', '/volumes')).Volumes ?? [];
    const { Mounts } = await engineJson<{ Mounts: { Name: string }[] }>('GET', `/containers/${id}/json`);
    const anonymous = Mounts[0]!.Name;
    expect((await volumes()).map(({ Name }) => Name)).toContain(anonymous);
    await runtime.removeContainer(id, freely);
    expect((await volumes()).map(({ Name }) => Name)).not.toContain(anonymous);
  });
});
