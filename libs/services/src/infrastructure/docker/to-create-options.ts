import type { ContainerCreateOptions, HostConfig } from 'dockerode';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerSpec } from '../../application/ports/engine/container-runtime.js';
import type { ContainerPlan, Healthcheck, TmpfsMount } from '../../domain/service-plan.js';

/**
 * A plan as the engine's options. Always hardened: no bind mount, no host namespace, no device, no capability beyond
 * the plan's, no way to gain one, swap off, logs bounded.
 * @param labels ours; they win over the plan's
 * @param imageEntrypoint used if the plan has the image's entrypoint and an empty command, which the engine would
 * replace by the image's command
 */
export function toCreateOptions(
  spec: ContainerSpec,
  labels: Readonly<Record<string, string>>,
  imageEntrypoint: readonly string[] | null = null,
): ContainerCreateOptions {
  const { plan } = spec;
  const entrypoint = plan.entrypoint ?? imageEntrypoint;
  const [firstNetwork] = plan.networks;
  return {
    name: spec.name,
    Image: spec.imageId,
    Env: environment(spec.environment),
    Labels: { ...Object.fromEntries(plan.labels), ...labels },
    ...(plan.command ? { Cmd: [...plan.command] } : {}),
    ...(entrypoint ? { Entrypoint: [...entrypoint] } : {}),
    ...(plan.user !== null ? { User: plan.user } : {}),
    ...(plan.workingDir !== null ? { WorkingDir: plan.workingDir } : {}),
    ...(plan.hostname !== null ? { Hostname: plan.hostname } : {}),
    ...(plan.healthcheck ? { Healthcheck: healthcheck(plan.healthcheck) } : {}),
    ...(plan.stopSignal !== null ? { StopSignal: plan.stopSignal } : {}),
    ...(plan.stopGraceMs !== null ? { StopTimeout: Math.ceil(plan.stopGraceMs / 1000) } : {}),
    Tty: plan.tty,
    OpenStdin: plan.stdinOpen,
    ExposedPorts: exposedPorts(plan),
    HostConfig: hostConfig(plan),
    // The engine joins one network at creation. The others are joined before the start.
    NetworkingConfig: {
      EndpointsConfig: firstNetwork ? { [firstNetwork.network]: { Aliases: [...firstNetwork.aliases] } } : {},
    },
  };
}

function hostConfig(plan: ContainerPlan): HostConfig {
  const { resources, security } = plan;
  return {
    NetworkMode: plan.networks[0]?.network ?? 'none',
    Privileged: false,
    CapDrop: [...security.capDrop],
    CapAdd: [...security.capAdd],
    SecurityOpt: ['no-new-privileges:true'],
    IpcMode: 'private',
    ReadonlyRootfs: plan.readOnly,
    Init: plan.init,
    PidsLimit: resources.pids,
    NanoCpus: Math.round(resources.cpus * 1e9),
    Memory: resources.memoryBytes,
    MemorySwap: resources.memoryBytes,
    ...(resources.memoryReservationBytes !== null ? { MemoryReservation: resources.memoryReservationBytes } : {}),
    ...(plan.shmSizeBytes !== null ? { ShmSize: plan.shmSizeBytes } : {}),
    Ulimits: plan.ulimits.map(({ name, soft, hard }) => ({ Name: name, Soft: soft, Hard: hard })),
    RestartPolicy: { Name: plan.restart.name, MaximumRetryCount: plan.restart.maximumRetries },
    LogConfig: {
      Type: plan.logging.driver,
      Config: { 'max-size': String(plan.logging.maxSizeBytes), 'max-file': String(plan.logging.maxFiles) },
    },
    Mounts: plan.mounts.map((mount) => ({
      Type: 'volume',
      Source: mount.volume,
      Target: mount.target,
      ReadOnly: mount.readOnly,
      VolumeOptions: { NoCopy: mount.noCopy },
    })) as HostConfig['Mounts'],
    Tmpfs: Object.fromEntries(plan.tmpfs.map((mount) => [mount.target, tmpfsOptions(mount)])),
    PortBindings: portBindings(plan),
    ExtraHosts: plan.extraHosts.map(({ host, ip }) => `${host}:${ip}`),
    Dns: [...plan.dns],
    GroupAdd: [...plan.groupAdd],
  };
}

export function environment(values: ReadonlyMap<string, SecretText>): string[] {
  return [...values].map(([name, value]) => `${name}=${value.reveal()}`);
}

export const NANOSECONDS_PER_MS = 1_000_000;

export function healthcheck(check: Healthcheck): ContainerCreateOptions['Healthcheck'] {
  const nanoseconds = (ms: number | null) => (ms === null ? undefined : ms * NANOSECONDS_PER_MS);
  return {
    Test: check.test ? [...check.test] : [],
    Interval: nanoseconds(check.intervalMs),
    Timeout: nanoseconds(check.timeoutMs),
    StartPeriod: nanoseconds(check.startPeriodMs),
    StartInterval: nanoseconds(check.startIntervalMs),
    Retries: check.retries ?? undefined,
  };
}

function exposedPorts(plan: ContainerPlan): Record<string, object> {
  const published = plan.ports.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`);
  const exposed = plan.expose.map(({ port, protocol }) => `${port}/${protocol}`);
  return Object.fromEntries([...published, ...exposed].map((port) => [port, {}]));
}

function portBindings(plan: ContainerPlan): Record<string, { HostIp: string; HostPort: string }[]> {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const { containerPort, protocol, hostIp, hostPort } of plan.ports) {
    (bindings[`${containerPort}/${protocol}`] ??= []).push({ HostIp: hostIp, HostPort: String(hostPort) });
  }
  return bindings;
}

function tmpfsOptions(mount: TmpfsMount): string {
  const options = ['rw', 'nosuid', 'nodev', 'noexec', `size=${mount.sizeBytes}`, `mode=${mount.mode.toString(8)}`];
  if (mount.uid !== null) options.push(`uid=${mount.uid}`);
  if (mount.gid !== null) options.push(`gid=${mount.gid}`);
  return options.join(',');
}
