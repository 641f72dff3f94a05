import type { OwnLabels } from './container-labels.js';
import { unexpected } from './docker-errors.js';
import type { EngineConnection } from './engine-connection.js';

/** It walks through every file of every volume. */
const TIMEOUT_MS = 300_000;

type Labels = Readonly<Record<string, string>> | null;

/** The parts of `GET /system/df` that are read; sizes are left out, or -1, where the engine does not know them. */
interface DiskAnswer {
  readonly Containers: readonly { readonly Labels: Labels; readonly SizeRw?: number }[] | null;
  readonly Volumes:
    readonly { readonly Labels: Labels; readonly UsageData?: { readonly Size: number } | null }[] | null;
}

/** See `ContainerRuntime.diskUsage`. */
export async function engineDiskUsage(
  connection: EngineConnection,
  labels: OwnLabels,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  let answer: DiskAnswer;
  try {
    answer = (await connection.call({ timeoutMs: TIMEOUT_MS, signal }, (docker) => docker.df())) as DiskAnswer;
  } catch (error) {
    throw unexpected(error);
  }
  const parts = [
    ...(answer.Containers ?? []).map(({ Labels, SizeRw }) => ({ Labels, bytes: SizeRw ?? 0 })),
    ...(answer.Volumes ?? []).map(({ Labels, UsageData }) => ({ Labels, bytes: UsageData?.Size ?? 0 })),
  ];
  const usage = new Map<string, number>();
  for (const { Labels, bytes } of parts) {
    const serviceId = labels.serviceOf(Labels);
    if (serviceId !== null) usage.set(serviceId, (usage.get(serviceId) ?? 0) + Math.max(0, bytes));
  }
  return usage;
}
