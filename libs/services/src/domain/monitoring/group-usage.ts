import { percentOf, ratesBetween, type Counters } from './container-usage.js';

/** The readings of one running container of a group. */
export interface MemberUsage {
  readonly id: string;
  readonly name: string;
  /** The previous reading. Null if there is none. */
  readonly before: Counters | null;
  readonly now: Counters;
  readonly memoryBytes: number;
  readonly blockReadBytes: number;
  readonly blockWriteBytes: number;
  readonly pids: number;
}

/** What all containers of a group use together. */
export interface GroupUsage {
  /** Percentages of the group's limits, from 0 to 100. */
  readonly cpuPct: number;
  readonly ramPct: number;
  readonly memoryUsedBytes: number;
  readonly memoryLimitBytes: number;
  /** Totals since the start of each container. */
  readonly netRxBytes: number;
  readonly netTxBytes: number;
  readonly blockReadBytes: number;
  readonly blockWriteBytes: number;
  readonly pids: number;
  readonly rxBps: number;
  readonly txBps: number;
  /** `cpuPct` refers to the cores of the group here too, so the values add up. */
  readonly containers: readonly {
    readonly id: string;
    readonly name: string;
    readonly cpuPct: number;
    readonly memoryUsedBytes: number;
  }[];
}

const MEBIBYTE = 1024 * 1024;

/**
 * @param running empty for a stopped group, which uses nothing
 * @returns null if a container has no previous reading, because the sum would be too low
 */
export function groupUsage(
  running: readonly MemberUsage[],
  limits: { readonly cpuCores: number; readonly memoryMb: number },
): GroupUsage | null {
  const members = running.map((member) => ({
    ...member,
    rates: member.before && ratesBetween(member.before, member.now),
  }));
  const total = { cores: 0, rxBps: 0, txBps: 0, memory: 0, rx: 0, tx: 0, read: 0, write: 0, pids: 0 };
  for (const { rates, now, ...member } of members) {
    if (rates === null) return null;
    total.cores += rates.cores;
    total.rxBps += rates.rxBps;
    total.txBps += rates.txBps;
    total.memory += member.memoryBytes;
    total.rx += now.rxBytes;
    total.tx += now.txBytes;
    total.read += member.blockReadBytes;
    total.write += member.blockWriteBytes;
    total.pids += member.pids;
  }
  const memoryLimitBytes = limits.memoryMb * MEBIBYTE;
  return {
    cpuPct: percentOf(total.cores, limits.cpuCores),
    ramPct: percentOf(total.memory, memoryLimitBytes),
    memoryUsedBytes: total.memory,
    memoryLimitBytes,
    netRxBytes: total.rx,
    netTxBytes: total.tx,
    blockReadBytes: total.read,
    blockWriteBytes: total.write,
    pids: total.pids,
    rxBps: Math.round(total.rxBps),
    txBps: Math.round(total.txBps),
    containers: members.map(({ id, name, rates, memoryBytes }) => ({
      id,
      name,
      cpuPct: percentOf(rates?.cores ?? 0, limits.cpuCores),
      memoryUsedBytes: memoryBytes,
    })),
  };
}
