import type { ContainerMemory, ContainerSample } from '../../../application/ports/engine/container-stats.js';

/**
 * The used parts of `GET /containers/{id}/stats`. An engine on cgroup v1 and one on v2 differ in the names of the
 * memory counters and in the spelling of the block operations; both omit what they do not know.
 */
export interface StatsAnswer {
  readonly read: string;
  readonly pids_stats?: { readonly current?: number } | null;
  readonly cpu_stats?: { readonly cpu_usage?: { readonly total_usage?: number } } | null;
  readonly memory_stats?: {
    readonly usage?: number;
    readonly limit?: number;
    readonly stats?: Readonly<Record<string, number>> | null;
  } | null;
  /** Missing without a network. */
  readonly networks?: Readonly<Record<string, { readonly rx_bytes: number; readonly tx_bytes: number }>> | null;
  readonly blkio_stats?: {
    readonly io_service_bytes_recursive?: readonly { readonly op: string; readonly value: number }[] | null;
  } | null;
}

/** Null for a container that is not running: the engine writes the year 1 for it. */
export function toSample(containerId: string, answer: StatsAnswer): ContainerSample | null {
  if (answer.read.startsWith('0001-')) return null;
  const networks = Object.values(answer.networks ?? {});
  return {
    containerId,
    at: new Date(answer.read),
    cpuNanos: BigInt(Math.max(0, Math.round(answer.cpu_stats?.cpu_usage?.total_usage ?? 0))),
    memory: memoryOf(answer.memory_stats),
    network: {
      rxBytes: sum(networks.map(({ rx_bytes }) => rx_bytes)),
      txBytes: sum(networks.map(({ tx_bytes }) => tx_bytes)),
    },
    block: { readBytes: blockBytes(answer, 'read'), writeBytes: blockBytes(answer, 'write') },
    pids: answer.pids_stats?.current ?? 0,
  };
}

/** Memory without the page cache that the kernel can drop at once. v1 and v2 name that counter differently. */
function memoryOf(memory: StatsAnswer['memory_stats']): ContainerMemory {
  const usage = memory?.usage ?? 0;
  const cache = memory?.stats?.['total_inactive_file'] ?? memory?.stats?.['inactive_file'] ?? 0;
  return { usedBytes: cache < usage ? usage - cache : usage, limitBytes: memory?.limit ?? 0 };
}

function blockBytes({ blkio_stats }: StatsAnswer, operation: string): number {
  const entries = blkio_stats?.io_service_bytes_recursive ?? [];
  return sum(entries.flatMap(({ op, value }) => (op.toLowerCase() === operation ? value : [])));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
