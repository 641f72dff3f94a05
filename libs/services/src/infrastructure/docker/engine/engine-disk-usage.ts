import type { DiskUse } from '../../../application/ports/engine/container-state.js';
import type { OwnLabels } from '../container-labels.js';
import { unexpected } from '../docker-errors.js';
import type { EngineConnection } from './engine-connection.js';

/** Long, because the engine reads the size of every file of every volume. */
const TIMEOUT_MS = 300_000;

type Labels = Readonly<Record<string, string>> | null;

/** The used parts of `GET /system/df`. Unknown sizes are missing or -1. */
export interface DiskAnswer {
  readonly Containers:
    | readonly { readonly Id: string; readonly ImageID: string; readonly Labels: Labels; readonly SizeRw?: number }[]
    | null;
  readonly Volumes:
    | readonly {
        readonly Name: string;
        readonly Labels: Labels;
        readonly UsageData?: { readonly Size: number } | null;
      }[]
    | null;
  readonly Images:
    | readonly {
        readonly Id: string;
        readonly RepoTags: readonly string[] | null;
        readonly RepoDigests: readonly string[] | null;
        readonly Size: number;
      }[]
    | null;
}

type FoundContainer = NonNullable<DiskAnswer['Containers']>[number];

/** See `ContainerRuntime.diskUsage`. @param idOf the panel's id of a container; several containers can have the same */
export async function engineDiskUsage(
  connection: EngineConnection,
  labels: OwnLabels,
  signal?: AbortSignal,
  idOf: (container: FoundContainer) => string = ({ Id }) => Id,
): Promise<ReadonlyMap<string, DiskUse>> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS, signal };
    return diskUses((await connection.call(limits, (docker) => docker.df())) as DiskAnswer, labels, idOf);
  } catch (error) {
    throw unexpected(error);
  }
}

function diskUses(
  { Containers, Volumes, Images }: DiskAnswer,
  labels: OwnLabels,
  idOf: (container: FoundContainer) => string,
): ReadonlyMap<string, DiskUse> {
  const containers = (Containers ?? []).map((found) => ({ ...found, serviceId: labels.serviceOf(found.Labels) }));
  const volumes = (Volumes ?? []).map((found) => ({ ...found, serviceId: labels.serviceOf(found.Labels) }));
  const ids = new Set([...containers, ...volumes].flatMap(({ serviceId }) => serviceId ?? []));
  const uses = [...ids].map((id): [string, DiskUse] => {
    const own = containers.filter(({ serviceId }) => serviceId === id);
    const others = new Set(containers.filter(({ serviceId }) => serviceId !== id).map(({ ImageID }) => ImageID));
    const mine = new Set(own.map(({ ImageID }) => ImageID));
    return [
      id,
      {
        volumes: volumes
          .filter(({ serviceId }) => serviceId === id)
          .map(({ Name, UsageData }) => ({ name: Name, bytes: Math.max(0, UsageData?.Size ?? 0) })),
        containers: writtenBy(own, idOf),
        images: (Images ?? [])
          .filter(({ Id }) => mine.has(Id))
          .map(({ Id, RepoTags, RepoDigests, Size }) => ({
            ref: nameOf(RepoTags) ?? nameOf(RepoDigests) ?? Id,
            bytes: Math.max(0, Size),
            shared: others.has(Id),
          })),
      },
    ];
  });
  return new Map(uses);
}

function writtenBy(containers: readonly FoundContainer[], idOf: (container: FoundContainer) => string) {
  const written = new Map<string, number>();
  for (const container of containers) {
    const id = idOf(container);
    written.set(id, (written.get(id) ?? 0) + Math.max(0, container.SizeRw ?? 0));
  }
  return [...written].map(([id, writableBytes]) => ({ id, writableBytes }));
}

/** An image without a name is called `<none>`. */
function nameOf(names: readonly string[] | null): string | null {
  return names?.find((name) => !name.includes('<none>')) ?? null;
}
