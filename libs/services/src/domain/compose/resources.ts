import type { ContainerResources } from '../service-plan.js';
import type { ComposeService, Numeric } from './compose-file.js';
import type { Place } from './place.js';
import type { PlanContext } from './plan-context.js';
import { readBytes, readNumber } from './readers.js';
import { MEBIBYTE } from './units.js';

export const DEFAULT_PIDS = 512;
const MOST_PIDS = 4096;
/** Below this the engine refuses to start a container or nothing useful runs in it. */
const LEAST_MEMORY_BYTES = 16 * MEBIBYTE;
const LEAST_CPUS = 0.05;
const CPU_STEP = 100;

/** What one service of the file asks for; null where it leaves the choice. */
export interface Asked {
  readonly cpus: number | null;
  readonly memoryBytes: number | null;
  readonly memoryReservationBytes: number | null;
  readonly pids: number | null;
  readonly place: Place;
}

export function readResources(service: ComposeService, place: Place): Asked {
  const limits = service.deploy?.resources?.limits;
  const reservations = service.deploy?.resources?.reservations;
  const at = place.at('deploy', 'resources');
  const cpus = agreed(service.cpus, limits?.cpus, readNumber, place.at('cpus'));
  const memoryBytes = agreed(service.mem_limit, limits?.memory, readBytes, place.at('mem_limit'));
  const pids = agreed(service.pids_limit, limits?.pids, readNumber, place.at('pids_limit'));
  const memoryReservationBytes = readBytes(reservations?.memory);
  if (reservations?.cpus !== undefined)
    at.at('reservations', 'cpus').warn('without_effect', 'One engine reserves no processor time.');
  if (cpus !== null && cpus < LEAST_CPUS) place.at('cpus').refuse(`At least ${LEAST_CPUS} cores.`);
  if (memoryBytes !== null && memoryBytes < LEAST_MEMORY_BYTES) place.at('mem_limit').refuse('At least 16m.');
  if (pids !== null && (pids < 1 || pids > MOST_PIDS))
    place.at('pids_limit').refuse(`From 1 to ${MOST_PIDS} processes.`);
  if (memoryReservationBytes !== null && memoryBytes !== null && memoryReservationBytes > memoryBytes)
    at.at('reservations', 'memory').refuse('More is reserved than allowed.');
  return { cpus, memoryBytes, memoryReservationBytes, pids, place };
}

/** Compose knows two places for one limit; where both are given they must say the same. */
function agreed(
  ofService: Numeric | undefined,
  ofDeploy: Numeric | undefined,
  read: (value: Numeric | undefined) => number | null,
  place: Place,
): number | null {
  const [first, second] = [read(ofService), read(ofDeploy)];
  if (first !== null && second !== null && first !== second)
    place.refuse('deploy.resources.limits says something else.');
  return first ?? second;
}

/**
 * Gives every container its limits within the service's: what is asked for is given, the rest is shared equally among
 * those that left the choice. Asking for more than there is, or leaving less than a container needs, is refused.
 */
export function shareResources(
  asked: readonly Asked[],
  total: PlanContext['resourceLimits'],
): readonly ContainerResources[] {
  const memory = share(asked, (one) => one.memoryBytes, total.memoryMb * MEBIBYTE, LEAST_MEMORY_BYTES, 'memoryMb');
  // Hundredths of a core keep the sum exact.
  const cpu = share(
    asked,
    (one) => hundredths(one.cpus),
    hundredths(total.cpuCores) ?? 0,
    LEAST_CPUS * CPU_STEP,
    'cpuCores',
  );
  return asked.map((one, index) => ({
    cpus: (cpu[index] ?? 0) / CPU_STEP,
    memoryBytes: memory[index] ?? 0,
    memoryReservationBytes: one.memoryReservationBytes,
    pids: one.pids ?? DEFAULT_PIDS,
  }));
}

function hundredths(cores: number | null): number | null {
  return cores === null ? null : Math.round(cores * CPU_STEP);
}

function share(
  asked: readonly Asked[],
  amountOf: (one: Asked) => number | null,
  total: number,
  least: number,
  limit: 'memoryMb' | 'cpuCores',
): readonly number[] {
  const given = asked.reduce((sum, one) => sum + (amountOf(one) ?? 0), 0);
  const open = asked.filter((one) => amountOf(one) === null);
  const each = open.length === 0 ? 0 : Math.floor((total - given) / open.length);
  for (const one of asked) {
    if (amountOf(one) !== null && given > total)
      one.place.refuse(`The containers together ask for more than ${limit} of the service.`, 'resources_exceeded');
    if (amountOf(one) === null && each < least)
      one.place.refuse(`The others leave this container too little of ${limit}.`, 'resources_exceeded');
  }
  return asked.map((one) => amountOf(one) ?? each);
}
