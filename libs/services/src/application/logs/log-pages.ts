import type { Uuid } from '#kernel/crypto/uuid';
import { NotFound } from '#kernel/errors';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { DeploymentLog } from '../ports/deployment-log.js';
import type { ServiceQueries } from '../ports/service-queries.js';
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
    private readonly queries: ServiceQueries,
    private readonly kept: DeploymentLog,
  ) {}

  /**
   * @param scope that sees the service @throws EngineUnavailable; NotFound for a deployment that is not of the service
   */
  async read(scope: OrganisationScope, serviceId: Uuid, question: LogQuestion): Promise<LogPage> {
    const { deploymentId } = question;
    if (deploymentId !== null) {
      const deployment = await this.queries.deployment(scope, deploymentId);
      if (deployment?.serviceId !== serviceId) throw new NotFound();
    }
    const { containers } = await this.runtime.listOwned(serviceId);
    const isThere = containers.some(({ owner }) => owner.deploymentId === deploymentId);
    if (deploymentId !== null && !isThere) return this.ofReplaced(scope, deploymentId, question);
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

  /** The last lines of containers that are gone stand in the log of their deployment. */
  private async ofReplaced(
    scope: OrganisationScope,
    deploymentId: Uuid,
    { container, tail, afterMicros }: LogQuestion,
  ): Promise<LogPage> {
    const kept = (await this.kept.read(scope, deploymentId, { since: 0, tail: MAX_READ })) ?? [];
    const all = kept
      .filter((line) => line.source === 'container' && line.container !== null)
      .filter((line) => container === null || line.container === container)
      .map(({ at, container: name, text }): ShownLine => ({
        atMicros: at.getTime() * 1000,
        container: name ?? '',
        containerId: '',
        // Which of the two it was is not kept.
        stream: 'stdout',
        text,
      }))
      .filter(({ atMicros }) => afterMicros === null || atMicros > afterMicros)
      .sort((a, b) => a.atMicros - b.atMicros);
    const lines = afterMicros === null ? all.slice(-tail) : wholeStamps(all, tail);
    const names = [...new Set(all.map((line) => line.container))];
    const containers = names.map((name) => ({ id: '', name, state: 'replaced' }));
    return { lines, hasMore: lines.length < all.length, containers };
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
