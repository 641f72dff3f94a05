import type Docker from 'dockerode';
import type {
  ContainerDetails,
  ContainerHealth,
  ContainerLifecycle,
  ContainerOwner,
  HealthProbe,
  PublishedPort,
} from '../../application/ports/engine/container-state.js';

const MAX_OUTPUT_LENGTH = 4096;
const LIFECYCLES: readonly ContainerLifecycle[] = [
  'created',
  'running',
  'paused',
  'restarting',
  'removing',
  'exited',
  'dead',
];

/** The parts of an answer that the engine sometimes omits, although the types require them. */
interface HealthAnswer {
  readonly Status?: string;
  readonly FailingStreak?: number;
  readonly Log?: readonly { readonly End: string; readonly ExitCode: number; readonly Output: string }[] | null;
}

export function toDetails(found: Docker.ContainerInspectInfo, owner: ContainerOwner): ContainerDetails {
  const { State: state } = found;
  const health = state.Health as HealthAnswer | undefined;
  const lifecycle = lifecycleOf(state.Status);
  const neverRan = instant(state.StartedAt) === null;
  const networks = Object.entries(found.NetworkSettings.Networks).map(([network, { IPAddress }]) => ({
    network,
    ipAddress: IPAddress || null,
  }));
  return {
    id: found.Id,
    name: found.Name.replace(/^\//, ''),
    owner,
    imageId: found.Image,
    lifecycle,
    health: healthOf(health?.Status),
    failingStreak: health?.FailingStreak ?? 0,
    lastProbe: lastProbe(health),
    restartCount: found.RestartCount,
    exitCode: state.Running || (neverRan && state.ExitCode === 0) ? null : state.ExitCode,
    oomKilled: state.OOMKilled,
    startedAt: instant(state.StartedAt),
    finishedAt: instant(state.FinishedAt),
    error: state.Error || null,
    publishedPorts: publishedPorts(found.NetworkSettings.Ports),
    networks,
    hostAddress: networks.find(({ ipAddress }) => ipAddress !== null)?.ipAddress ?? null,
  };
}

/** An unknown state counts as `dead`: not usable, and not worth waiting for. */
export function lifecycleOf(status: string): ContainerLifecycle {
  return LIFECYCLES.find((known) => known === status) ?? 'dead';
}

export function healthOf(status: string | undefined): ContainerHealth {
  return status === 'starting' || status === 'healthy' || status === 'unhealthy' ? status : 'none';
}

function lastProbe(health: HealthAnswer | undefined): HealthProbe | null {
  const last = health?.Log?.at(-1);
  if (!last) return null;
  return { at: new Date(last.End), exitCode: last.ExitCode, output: last.Output.slice(0, MAX_OUTPUT_LENGTH) };
}

/** The engine writes the year 1 for "never". */
function instant(text: string): Date | null {
  return text.startsWith('0001-') ? null : new Date(text);
}

function publishedPorts(ports: Docker.ContainerInspectInfo['NetworkSettings']['Ports']): PublishedPort[] {
  return Object.entries(ports ?? {}).flatMap(([port, bindings]) => {
    const [number, protocol] = port.split('/');
    return (bindings ?? []).map((binding) => ({
      containerPort: Number(number),
      protocol: protocol === 'udp' ? 'udp' : 'tcp',
      hostIp: binding.HostIp,
      hostPort: Number(binding.HostPort),
    }));
  });
}
