import type { ContainerResources } from '../service-plan.js';
import type { ComposeService, Numeric } from './compose-file.js';
import type { Place } from './place.js';
import type { PlanContext } from './plan-context.js';
import { readBytes, readNumber } from './readers.js';
import { MEBIBYTE } from './values/units.js';

export const DEFAULT_PIDS = 512;
const MAX_PIDS = 4096;
/** With less, the engine refuses to start a container, or nothing useful runs in it. */
const LEAST_MEMORY_BYTES = 16 * MEBIBYTE;
/** The engine refuses smaller reservations. */
const LEAST_RESERVATION_BYTES = 6 * MEBIBYTE;
const LEAST_CPUS = 0.05;
/** The engine counts billionths of a core. Sums of these whole numbers are exact. */
const NANO_CPUS = 1e9;
/** Containers without a limit get shares in hundredths of a core. */
const CPU_SHARE_STEP = NANO_CPUS / 100;

/** The resources that one service of the file asks for. Null if it does not say. */
export interface Asked {
  readonly cpus: number | null;
  readonly memoryBytes: number | null;
  readonly memoryReservationBytes: number | null;
  readonly pids: number | null;
  readonly place: Place;
}

export function readResources(service: ComposeService, place: Place): Asked {
  const resources = service.deploy?.resources;
  const limits = resources?.limits;
  const at = place.at('deploy', 'resources');
  const ofDeploy = at.at('limits');
  const cpus = agreed(service.cpus, limits?.cpus, readNumber, place.at('cpus'), ofDeploy.at('cpus'));
  const memory = agreed(service.mem_limit, limits?.memory, readBytes, place.at('mem_limit'), ofDeploy.at('memory'));
  const pids = agreed(service.pids_limit, limits?.pids, readNumber, place.at('pids_limit'), ofDeploy.at('pids'));
  const memoryReservationBytes = readBytes(resources?.reservations?.memory) || null;
  if (memoryReservationBytes !== null && memoryReservationBytes < LEAST_RESERVATION_BYTES)
    at.at('reservations', 'memory').refuse('At least 6m.');
  if (resources?.reservations?.cpus !== undefined)
    at.at('reservations', 'cpus').warn('without_effect', 'CPU reservations have no effect on a single engine.');
  if (cpus.value !== null && cpus.value < LEAST_CPUS) cpus.place.refuse(`At least ${LEAST_CPUS} cores.`);
  if (memory.value !== null && memory.value < LEAST_MEMORY_BYTES) memory.place.refuse('At least 16m.');
  if (pids.value !== null && (pids.value < 1 || pids.value > MAX_PIDS))
    pids.place.refuse(`From 1 to ${MAX_PIDS} processes.`);
  return { cpus: cpus.value, memoryBytes: memory.value, memoryReservationBytes, pids: pids.value, place };
}

interface Limit {
  readonly value: number | null;
  /** Where the limit is given. */
  readonly place: Place;
}

/** Compose has two places for one limit. If both are given, they must agree. */
function agreed(
  ofService: Numeric | undefined,
  ofDeploy: Numeric | undefined,
  read: (value: Numeric | undefined) => number | null,
  servicePlace: Place,
  deployPlace: Place,
): Limit {
  const [first, second] = [read(ofService), read(ofDeploy)];
  if (first !== null && second !== null && first !== second)
    servicePlace.refuse('It differs from deploy.resources.limits.');
  return first === null ? { value: second, place: deployPlace } : { value: first, place: servicePlace };
}

/**
 * Divides the limits of the service among its containers. A container gets what it asks for. The rest is shared equally
 * among those that ask for nothing. It is an error to ask for more than the total or to leave a container too little.
 */
export function shareResources(
  asked: readonly Asked[],
  total: PlanContext['resourceLimits'],
): readonly ContainerResources[] {
  const memory = share(asked, (one) => one.memoryBytes, total.memoryMb * MEBIBYTE, LEAST_MEMORY_BYTES, 1, 'memoryMb');
  const cpu = share(
    asked,
    (one) => nanoCpus(one.cpus),
    nanoCpus(total.cpuCores) ?? 0,
    LEAST_CPUS * NANO_CPUS,
    CPU_SHARE_STEP,
    'cpuCores',
  );
  for (const [index, { memoryReservationBytes, place }] of asked.entries())
    // Too little memory was already reported, so it does not also count as a reservation that is too high.
    if (memoryReservationBytes !== null && memoryReservationBytes > Math.max(memory[index] ?? 0, LEAST_MEMORY_BYTES))
      place
        .at('deploy', 'resources', 'reservations', 'memory')
        .refuse('The reservation is above the limit of the container.');
  return asked.map((one, index) => ({
    cpus: (cpu[index] ?? 0) / NANO_CPUS,
    memoryBytes: memory[index] ?? 0,
    memoryReservationBytes: one.memoryReservationBytes,
    pids: one.pids ?? DEFAULT_PIDS,
  }));
}

function nanoCpus(cores: number | null): number | null {
  return cores === null ? null : Math.round(cores * NANO_CPUS);
}

function share(
  asked: readonly Asked[],
  amountOf: (one: Asked) => number | null,
  total: number,
  least: number,
  step: number,
  limit: 'memoryMb' | 'cpuCores',
): readonly number[] {
  const given = asked.reduce((sum, one) => sum + (amountOf(one) ?? 0), 0);
  const open = asked.filter((one) => amountOf(one) === null);
  const each = open.length === 0 ? 0 : Math.floor((total - given) / open.length / step) * step;
  for (const one of asked) {
    if (amountOf(one) !== null && given > total)
      one.place.refuse(`The containers together ask for more than ${limit} of the service.`, 'resources_exceeded');
    if (amountOf(one) === null && each < least)
      one.place.refuse(`The other containers leave this one too little of ${limit}.`, 'resources_exceeded');
  }
  return asked.map((one) => amountOf(one) ?? each);
}
