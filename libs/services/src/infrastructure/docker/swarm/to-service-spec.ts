import type { ContainerSpec } from '../../../application/ports/engine/container-runtime.js';
import type { ContainerPlan, RestartPolicy, TmpfsMount } from '../../../domain/service-plan.js';
import { environment, healthcheck, NANOSECONDS_PER_MS } from '../to-create-options.js';
import type { Mount, ServiceSpec, SwarmContainerSpec, TaskTemplate, UpdateConfig } from './swarm-api.js';
import { notInSwarm } from './swarm-errors.js';

/** What the engine labels of a node promise, in its `daemon.json`; the swarm places tasks by them. */
export const NO_NEW_PRIVILEGES = 'panel.no-new-privileges';
export const NO_BRIDGE = 'panel.bridge';
/** The only address that a port of a swarm is bound to. */
export const EVERY_ADDRESS = '0.0.0.0';

const RESTART_DELAY_MS = 1_000;

export interface SwarmSurroundings {
  /** Of the swarm; unique there, at most 63 characters. */
  readonly name: string;
  /** Ours, those of the owner among them. */
  readonly labels: Readonly<Record<string, string>>;
  /** By which every node can run it: `name@sha256:…`, or an id where the image is in no registry. */
  readonly image: string;
  readonly imageEntrypoint: readonly string[];
  readonly imageCommand: readonly string[];
  /** Whose volumes it mounts; null for none. */
  readonly nodeId: string | null;
  /** The API can say it itself; otherwise only nodes whose engine label promises it are used. */
  readonly saysNoNewPrivileges: boolean;
}

/**
 * A plan as a service of a swarm with no task yet, hardened like a container of a single engine.
 * @throws ContainerCreateFailed naming the key that a swarm cannot carry out
 */
export function toServiceSpec(spec: ContainerSpec, around: SwarmSurroundings): ServiceSpec {
  const { plan } = spec;
  const update = updateConfig(plan);
  return {
    Name: around.name,
    Labels: around.labels,
    TaskTemplate: taskTemplate(spec, around),
    Mode: { Replicated: { Replicas: 0 } },
    UpdateConfig: update,
    RollbackConfig: { ...update, FailureAction: 'pause' },
    EndpointSpec: { Mode: 'dnsrr', Ports: ports(plan) },
  };
}

/** What only nodes with certain promises may run. */
export function neededPromises(
  plan: ContainerPlan,
  saysNoNewPrivileges: boolean,
): readonly (readonly [label: string, value: string])[] {
  return [
    ...(saysNoNewPrivileges ? [] : [[NO_NEW_PRIVILEGES, 'true'] as const]),
    // A task without a network gets the node's default bridge, where it would meet strangers.
    ...(plan.networks.length > 0 ? [] : [[NO_BRIDGE, 'none'] as const]),
  ];
}

function taskTemplate(spec: ContainerSpec, around: SwarmSurroundings): TaskTemplate {
  const { plan } = spec;
  const { resources, logging } = plan;
  const promises = neededPromises(plan, around.saysNoNewPrivileges);
  return {
    ContainerSpec: containerSpec(spec, around),
    Resources: {
      Limits: {
        NanoCPUs: Math.round(resources.cpus * 1e9),
        MemoryBytes: resources.memoryBytes,
        Pids: resources.pids,
      },
      ...(resources.memoryReservationBytes !== null
        ? { Reservations: { MemoryBytes: resources.memoryReservationBytes } }
        : {}),
    },
    RestartPolicy: restartPolicy(plan.restart),
    Networks: plan.networks.map(({ network, aliases }) => ({ Target: network, Aliases: [...aliases] })),
    Placement: {
      Constraints: [
        ...promises.map(([label, value]) => `engine.labels.${label}==${value}`),
        ...(around.nodeId !== null ? [`node.id==${around.nodeId}`] : []),
      ],
    },
    LogDriver: {
      Name: logging.driver,
      Options: { 'max-size': String(logging.maxSizeBytes), 'max-file': String(logging.maxFiles) },
    },
    ForceUpdate: 0,
  };
}

function containerSpec({ plan, environment: values }: ContainerSpec, around: SwarmSurroundings): SwarmContainerSpec {
  return {
    Image: around.image,
    Labels: { ...Object.fromEntries(plan.labels), ...around.labels },
    ...commandOf(plan, around),
    Env: environment(values).map(literally),
    ...(plan.hostname !== null ? { Hostname: plan.hostname } : {}),
    ...(plan.workingDir !== null ? { Dir: plan.workingDir } : {}),
    ...(plan.user !== null ? { User: plan.user } : {}),
    Groups: [...plan.groupAdd],
    ...(around.saysNoNewPrivileges ? { Privileges: { NoNewPrivileges: true } } : {}),
    TTY: plan.tty,
    OpenStdin: plan.stdinOpen,
    ReadOnly: plan.readOnly,
    Init: plan.init,
    Mounts: mounts(plan),
    ...(plan.stopSignal !== null ? { StopSignal: plan.stopSignal } : {}),
    ...(plan.stopGraceMs !== null ? { StopGracePeriod: plan.stopGraceMs * NANOSECONDS_PER_MS } : {}),
    ...(plan.healthcheck ? { Healthcheck: healthcheck(plan.healthcheck) } : {}),
    Hosts: plan.extraHosts.map(({ host, ip }) => `${ip} ${host}`),
    ...(plan.dns.length > 0 ? { DNSConfig: { Nameservers: [...plan.dns] } } : {}),
    CapabilityAdd: [...plan.security.capAdd],
    CapabilityDrop: [...plan.security.capDrop],
    Ulimits: plan.ulimits.map(({ name, soft, hard }) => ({ Name: name, Soft: soft, Hard: hard })),
  };
}

/** A swarm takes an empty entrypoint or command for "the image's own", so what is meant is written out. */
function commandOf(
  { entrypoint, command }: ContainerPlan,
  image: Pick<SwarmSurroundings, 'imageEntrypoint' | 'imageCommand'>,
): Pick<SwarmContainerSpec, 'Command' | 'Args'> {
  if (entrypoint === null && command === null) return {};
  if (entrypoint === null && command!.length > 0) return { Args: [...command!] };
  if (entrypoint !== null && entrypoint.length > 0) return { Command: [...entrypoint], Args: [...(command ?? [])] };
  const whole = entrypoint === null ? image.imageEntrypoint : (command ?? image.imageCommand);
  if (whole.length === 0) throw notInSwarm('command', 'nothing is left to run.');
  return { Command: [...whole] };
}

/** A swarm expands templates in the environment, with which a container could read the names of nodes. */
function literally(variable: string): string {
  return variable.replaceAll('{{', '{{"{{"}}');
}

function mounts(plan: ContainerPlan): Mount[] {
  const volumes = plan.mounts.map((mount): Mount => ({
    Type: 'volume',
    Source: mount.volume,
    Target: mount.target,
    ReadOnly: mount.readOnly,
    VolumeOptions: { NoCopy: mount.noCopy },
  }));
  const shared: Mount[] =
    plan.shmSizeBytes === null
      ? []
      : [{ Type: 'tmpfs', Target: '/dev/shm', TmpfsOptions: { SizeBytes: plan.shmSizeBytes, Mode: 0o1777 } }];
  return [...volumes, ...plan.tmpfs.map(tmpfs), ...shared];
}

function tmpfs(mount: TmpfsMount): Mount {
  if (mount.uid !== null || mount.gid !== null)
    throw notInSwarm('tmpfs', `a swarm cannot set an owner for ${mount.target}: leave out uid and gid.`);
  return {
    Type: 'tmpfs',
    Target: mount.target,
    TmpfsOptions: { SizeBytes: mount.sizeBytes, Mode: mount.mode },
  };
}

function ports(plan: ContainerPlan): ServiceSpec['EndpointSpec']['Ports'] {
  return plan.ports.map(({ hostIp, hostPort, containerPort, protocol }) => {
    if (hostIp !== EVERY_ADDRESS)
      throw notInSwarm(
        'ports',
        `a swarm opens port ${hostPort} on every address of the node, not on ${hostIp} alone; ` +
          `SERVICES_PORT_ADDRESS=${EVERY_ADDRESS} allows it.`,
      );
    return { Protocol: protocol, TargetPort: containerPort, PublishedPort: hostPort, PublishMode: 'host' };
  });
}

function restartPolicy({ name, maximumRetries }: RestartPolicy): TaskTemplate['RestartPolicy'] {
  if (name === 'no') return { Condition: 'none' };
  const Delay = RESTART_DELAY_MS * NANOSECONDS_PER_MS;
  return name === 'on-failure'
    ? { Condition: 'on-failure', Delay, MaxAttempts: maximumRetries }
    : { Condition: 'any', Delay };
}

/** Two tasks cannot hold one host port, and must not write one volume. */
function updateConfig(plan: ContainerPlan): UpdateConfig {
  const isAlone = plan.ports.length > 0 || plan.mounts.some(({ readOnly }) => !readOnly);
  return { Parallelism: 1, Order: isAlone ? 'stop-first' : 'start-first', FailureAction: 'rollback' };
}
