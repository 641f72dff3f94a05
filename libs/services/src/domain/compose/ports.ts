import type { ExposedPort, PortMapping, TransportProtocol } from '../service-plan.js';
import type { ComposePort, ComposeService, Numeric } from './compose-file.js';
import type { Place } from './place.js';
import type { PlanContext } from './plan-context.js';
import { readList } from './readers.js';

const MIN_HOST_PORT = 1024;
const MAX_PORT = 65_535;
const MAX_PORTS = 20;
const MAX_EXPOSED = 100;
const SHORT = /^(?:(?<ip>\[[^\]]*\]|[^:]*):)?(?<host>\d+):(?<container>\d+)(?:\/(?<protocol>[a-z]+))?$/i;

type PortPolicy = Pick<PlanContext, 'portsAllowed' | 'portBindAddress' | 'reservedPorts'>;

/** @param taken host ports of the whole file so far, such as `127.0.0.1:8080/tcp`; this function adds to it */
export function readPorts(
  service: ComposeService,
  policy: PortPolicy,
  taken: Set<string>,
  place: Place,
): readonly PortMapping[] {
  if (service.ports !== undefined && !policy.portsAllowed) {
    place.forbid('Only administrators may publish host ports.');
    return [];
  }
  const listed = readList<Numeric | ComposePort>(service.ports, place);
  if (listed.length > MAX_PORTS) place.refuse(`At most ${MAX_PORTS} ports are published.`);
  return listed.flatMap(({ item, place: at }) => {
    const port = typeof item === 'object' ? longPort(item, policy, at) : shortPort(String(item), policy, at);
    if (port === undefined) return [];
    const address = `${port.hostIp}:${port.hostPort}/${port.protocol}`;
    if (taken.has(address)) at.refuse('The host port is published twice.', 'port_conflict');
    taken.add(address);
    return [port];
  });
}

function shortPort(text: string, policy: PortPolicy, place: Place): PortMapping | undefined {
  const parts = SHORT.exec(text)?.groups;
  if (/\d-\d/.test(text)) return place.forbid('Only single ports are allowed, not ranges.');
  if (parts === undefined) return place.refuse('Write HOST:CONTAINER, such as 8080:80, with the host port given.');
  const { ip = '', host = '', container = '', protocol = 'tcp' } = parts;
  return checked(ip.replace(/^\[|\]$/g, ''), host, container, protocol.toLowerCase(), policy, place);
}

function longPort(port: ComposePort, policy: PortPolicy, place: Place): PortMapping | undefined {
  for (const label of ['name', 'app_protocol', 'mode'] as const)
    if (port[label] !== undefined) place.at(label).warn('without_effect', 'It has no effect on a single engine.');
  if (port.target === undefined || port.published === undefined) return undefined;
  return checked(
    port.host_ip ?? '',
    String(port.published),
    String(port.target),
    port.protocol ?? 'tcp',
    policy,
    place,
  );
}

function checked(
  ip: string,
  host: string,
  container: string,
  protocol: string,
  policy: PortPolicy,
  place: Place,
): PortMapping | undefined {
  const hostPort = Number(host);
  const containerPort = Number(container);
  if (protocol !== 'tcp' && protocol !== 'udp') return place.refuse('The protocol must be tcp or udp.');
  if (ip !== '' && ip !== policy.portBindAddress)
    return place.forbid('Ports are bound to the configured address only.');
  if (hostPort < MIN_HOST_PORT || hostPort > MAX_PORT)
    return place.forbid(`A host port must be between ${MIN_HOST_PORT} and ${MAX_PORT}.`);
  if (policy.reservedPorts.has(hostPort)) return place.forbid('The host port belongs to the panel.');
  if (containerPort < 1 || containerPort > MAX_PORT) return place.refuse('The container port is not valid.');
  return { hostIp: policy.portBindAddress, hostPort, containerPort, protocol };
}

/** Reads `3000`, `"8125/udp"` and `"4000-4010"`. These ports are never published on the host. */
export function readExposed(values: ComposeService['expose'], place: Place): readonly ExposedPort[] {
  return readList<Numeric>(values, place).flatMap(({ item, place: at }) => {
    const parts = /^(\d{1,5})(?:-(\d{1,5}))?(?:\/(tcp|udp))?$/.exec(String(item));
    const first = Number(parts?.[1]);
    const last = Number(parts?.[2] ?? first);
    const protocol: TransportProtocol = parts?.[3] === 'udp' ? 'udp' : 'tcp';
    if (parts && first >= 1 && last >= first && last <= MAX_PORT && last - first < MAX_EXPOSED)
      return Array.from({ length: last - first + 1 }, (_, index) => ({ port: first + index, protocol }));
    at.refuse(`Write a port or at most ${MAX_EXPOSED} ports in a row, such as 3000 or 4000-4010/udp.`);
    return [];
  });
}
