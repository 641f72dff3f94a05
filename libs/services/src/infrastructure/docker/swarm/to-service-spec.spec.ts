import * as fc from 'fast-check';
import { SecretText } from '#kernel/crypto/secret-text';
import { aContainerSpec } from '../../../../../../test/support/docker/plans.js';
import type { ContainerPlan } from '../../../domain/service-plan.js';
import { toServiceSpec, type SwarmSurroundings } from './to-service-spec.js';

const around: SwarmSurroundings = {
  name: 'panel-1',
  labels: { 'panel.service': 'svc' },
  image: 'registry.example.com/acme/web@sha256:1',
  imageEntrypoint: ['/entry'],
  imageCommand: ['serve'],
  nodeId: null,
  saysNoNewPrivileges: false,
};

const specOf = (plan: Partial<ContainerPlan> = {}, given: Partial<SwarmSurroundings> = {}) =>
  toServiceSpec(aContainerSpec({ serviceId: 'svc', imageId: 'sha256:1' }, plan), { ...around, ...given });

describe('what a swarm is asked to run', () => {
  const networks = [{ network: 'net', aliases: ['web'] }];

  it('never mounts the host, gains a privilege, or puts a secret into a label, whatever the plan says', () => {
    const text = fc.string({ minLength: 1, maxLength: 20 });
    const anyPlan = fc.record({
      command: fc.option(fc.array(text, { minLength: 1 })),
      user: fc.option(text),
      mounts: fc.array(fc.record({ volume: text, target: text, readOnly: fc.boolean(), noCopy: fc.boolean() })),
      labels: fc.dictionary(text, text).map((labels) => new Map(Object.entries(labels))),
    });
    fc.assert(
      fc.property(anyPlan, fc.uuid(), fc.boolean(), (plan, password, saysNoNewPrivileges) => {
        const spec = aContainerSpec({ serviceId: 'svc', imageId: 'sha256:1' }, plan);
        const environment = new Map([['PASSWORD', new SecretText(password)]]);
        const made = toServiceSpec({ ...spec, environment }, { ...around, saysNoNewPrivileges });
        const { ContainerSpec, Placement } = made.TaskTemplate;
        for (const mount of ContainerSpec.Mounts) {
          expect(['volume', 'tmpfs']).toContain(mount.Type);
          expect(mount.VolumeOptions ?? {}).not.toHaveProperty('DriverConfig');
        }
        expect(ContainerSpec.CapabilityDrop).toEqual(['ALL']);
        const isPromised = Placement.Constraints!.includes('engine.labels.panel.no-new-privileges==true');
        expect(ContainerSpec.Privileges?.NoNewPrivileges ?? isPromised).toBe(true);
        expect(JSON.stringify([made.Labels, ContainerSpec.Labels])).not.toContain(password);
        expect(ContainerSpec.Labels['panel.service']).toBe('svc');
      }),
    );
  });

  it.each<[string, Partial<ContainerPlan>, Partial<SwarmSurroundings>, string[]]>([
    ['where privileges are promised', { networks }, {}, ['engine.labels.panel.no-new-privileges==true']],
    ['anywhere, when it says it itself', { networks }, { saysNoNewPrivileges: true }, []],
    ['where its volumes lie', { networks }, { saysNoNewPrivileges: true, nodeId: 'n1' }, ['node.id==n1']],
    ['where no bridge is, without a network', {}, { saysNoNewPrivileges: true }, ['engine.labels.panel.bridge==none']],
  ])('is placed %s', (_, plan, given, constraints) => {
    expect(specOf(plan, given).TaskTemplate.Placement.Constraints).toEqual(constraints);
  });

  it.each<[string, Partial<ContainerPlan>, object]>([
    ['the image’s own', {}, {}],
    ['another command', { command: ['x'] }, { Args: ['x'] }],
    ['no command', { command: [] }, { Command: ['/entry'] }],
    ['another entrypoint, which drops the command', { entrypoint: ['y'] }, { Command: ['y'], Args: [] }],
    ['no entrypoint, which keeps the command', { entrypoint: [] }, { Command: ['serve'] }],
    ['no entrypoint and a command', { entrypoint: [], command: ['x', '1'] }, { Command: ['x', '1'] }],
  ])('runs %s', (_, plan, expected) => {
    const { Command, Args } = specOf(plan).TaskTemplate.ContainerSpec;
    expect({ ...(Command ? { Command } : {}), ...(Args ? { Args } : {}) }).toEqual(expected);
  });

  it('starts a new task first, but for what two of them cannot share', () => {
    const port = { hostIp: '0.0.0.0', hostPort: 80, containerPort: 80, protocol: 'tcp' as const };
    const mount = { volume: 'v', target: '/v', readOnly: false, noCopy: false };
    const order = (plan: Partial<ContainerPlan>) => specOf(plan).UpdateConfig.Order;
    expect(order({})).toBe('start-first');
    expect(order({ mounts: [{ ...mount, readOnly: true }] })).toBe('start-first');
    expect(order({ mounts: [mount] })).toBe('stop-first');
    expect(order({ ports: [port] })).toBe('stop-first');
    expect(specOf().UpdateConfig.FailureAction).toBe('rollback');
  });

  it.each<[ContainerPlan['restart'], object]>([
    [{ name: 'no', maximumRetries: 0 }, { Condition: 'none' }],
    [
      { name: 'always', maximumRetries: 0 },
      { Condition: 'any', Delay: 1e9 },
    ],
    [
      { name: 'unless-stopped', maximumRetries: 0 },
      { Condition: 'any', Delay: 1e9 },
    ],
    [
      { name: 'on-failure', maximumRetries: 4 },
      { Condition: 'on-failure', Delay: 1e9, MaxAttempts: 4 },
    ],
  ])('is started again as the plan says: %j', (restart, expected) => {
    expect(specOf({ restart }).TaskTemplate.RestartPolicy).toEqual(expected);
  });
});
