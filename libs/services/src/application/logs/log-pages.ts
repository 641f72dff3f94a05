import type { Uuid } from '#kernel/crypto/uuid';
import type { ContainerLogs, LogLine } from '../ports/engine/container-logs.js';
import type { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { OwnedContainer } from '../ports/engine/container-state.js';

export interface LogQuestion {
  /** The name in the compose file, or an engine id or its beginning; null for all containers. */
  readonly container: string | null;
  /** Containers of this deployment only, which may have been replaced since; null for all that are there. */
  readonly deploymentId: Uuid | null;
  /** How many lines at most. */
  readonly tail: number;
  /** Lines after this moment, the oldest first to come; null: the newest lines. */
  readonly afterMicros: number | null;
}

export interface ShownLine {
  readonly atMicros: number;
  readonly container: string;
  readonly containerId: string;
  readonly stream: LogLine['stream'];
  readonly text: string;
}

export interface LogPage {
  /** Oldest first. */
  readonly lines: readonly ShownLine[];
  /** There are lines that this page does not hold: older ones, or newer ones when it was asked for by `afterMicros`. */
  readonly hasMore: boolean;
  /** The containers that were read, whether they run or not. */
  readonly containers: readonly { readonly id: string; readonly name: string; readonly state: string }[];
}

/** Beyond this many lines after a moment, the oldest are skipped: nobody reads a gigabyte page by page. */
const MAX_READ = 20_000;

/** What the containers of a service have written, also when they have stopped: as long as the engine has them. */
export class LogPages {
  constructor(
    private readonly logs: ContainerLogs,
    private readonly runtime: ContainerRuntime,
  ) {}

  /** @throws EngineUnavailable */
  async read(serviceId: Uuid, question: LogQuestion): Promise<LogPage> {
    const { containers } = await this.runtime.listOwned(serviceId);
    const chosen = containers.filter((container) => isMeant(container, question));
    const { tail, afterMicros } = question;
    const range = { tail: afterMicros === null ? tail + 1 : MAX_READ, afterMicros };
    const read = await Promise.all(
      chosen.map(async ({ id, owner }) =>
        (await this.logs.recent(id, range)).map(({ atMicros, stream, text }): ShownLine => {
          return { atMicros, container: owner.role, containerId: id, stream, text };
        }),
      ),
    );
    const all = read.flat().sort((a, b) => a.atMicros - b.atMicros);
    const lines = afterMicros === null ? all.slice(-tail) : wholeStamps(all, tail);
    return {
      lines,
      hasMore: lines.length < all.length,
      containers: chosen.map(({ id, owner, lifecycle }) => ({ id, name: owner.role, state: lifecycle })),
    };
  }
}

function isMeant({ id, owner }: OwnedContainer, { container, deploymentId }: LogQuestion): boolean {
  if (deploymentId !== null && owner.deploymentId !== deploymentId) return false;
  return container === null || owner.role === container || (container.length >= 12 && id.startsWith(container));
}

/** A page ends between two moments, so that the next one begins behind it and misses nothing. */
export function wholeStamps<Line extends { readonly atMicros: number }>(all: readonly Line[], count: number): Line[] {
  const next = all[count];
  if (!next) return [...all];
  const page = all.slice(0, count).filter(({ atMicros }) => atMicros < next.atMicros);
  // More lines of one moment than a page holds: all of them belong together.
  return page.length > 0 ? page : all.filter(({ atMicros }) => atMicros === next.atMicros);
}
