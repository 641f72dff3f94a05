import type { Uuid } from '#kernel/crypto/uuid';
import { NotFound } from '#kernel/errors';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { DeploymentLog } from '../ports/deployment-log.js';
import type { ServiceQueries } from '../ports/service-queries.js';
import type { ContainerLogs, LogLine } from '../ports/engine/container-logs.js';
import type { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { OwnedContainer } from '../ports/engine/container-state.js';

export interface LogQuestion {
  /** The name in the compose file, or a container id or its prefix; null for all containers. */
  readonly container: string | null;
  /** Only containers of this deployment, which may have been replaced since; null for all existing containers. */
  readonly deploymentId: Uuid | null;
  /** Maximum number of lines. */
  readonly tail: number;
  /** Only lines from here on, starting with the oldest; null: the newest lines. */
  readonly from: LogPosition | null;
}

/** The position from which the next page is read. */
export interface LogPosition {
  readonly atMicros: number;
  /** How many lines of exactly this time have been read already. */
  readonly skip: number;
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
  /** Whether there are more lines: older ones, or newer ones if `from` was given. */
  readonly hasMore: boolean;
  /** There were too many lines after `from`: the oldest of them are not shown. */
  readonly isCut: boolean;
  /** The containers that were read, running or not. */
  readonly containers: readonly { readonly id: string; readonly name: string; readonly state: string }[];
}

/** At most this many lines per container are read after `from`. If there are more, the oldest are left out. */
const MAX_READ = 20_000;

/** Reads the logs of the containers of a service, including stopped ones, as long as the engine has them. */
export class LogPages {
  constructor(
    private readonly logs: ContainerLogs,
    private readonly runtime: ContainerRuntime,
    private readonly queries: ServiceQueries,
    private readonly kept: DeploymentLog,
  ) {}

  /**
   * @param scope must include the service @throws EngineUnavailable; NotFound for a deployment of another service
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
    const { tail, from } = question;
    const range =
      from === null ? { tail: tail + 1, afterMicros: null } : { tail: MAX_READ, afterMicros: from.atMicros - 1 };
    const read = await Promise.all(
      chosen.map(async ({ id, owner }) =>
        (await this.logs.recent(id, range)).map(({ atMicros, stream, text }): ShownLine => {
          return { atMicros, container: owner.role, containerId: id, stream, text };
        }),
      ),
    );
    const all = read.flat().sort((a, b) => a.atMicros - b.atMicros);
    return {
      ...pageOf(all, question),
      isCut: from !== null && read.some(({ length }) => length === MAX_READ),
      containers: chosen.map(({ id, owner, lifecycle }) => ({ id, name: owner.role, state: lifecycle })),
    };
  }

  /** The last lines of removed containers are in the log of their deployment. */
  private async ofReplaced(scope: OrganisationScope, deploymentId: Uuid, question: LogQuestion): Promise<LogPage> {
    const { container } = question;
    const kept = (await this.kept.read(scope, deploymentId, { since: 0, tail: MAX_READ })) ?? [];
    const all = kept
      .filter((line) => line.source === 'container' && line.container !== null)
      .filter((line) => container === null || line.container === container)
      .map(({ at, container: name, text }): ShownLine => ({
        atMicros: at.getTime() * 1000,
        container: name ?? '',
        containerId: '',
        // The stored log does not say which stream it was.
        stream: 'stdout',
        text,
      }))
      .sort((a, b) => a.atMicros - b.atMicros);
    const names = [...new Set(all.map((line) => line.container))];
    const containers = names.map((name) => ({ id: '', name, state: 'replaced' }));
    return { ...pageOf(all, question), isCut: false, containers };
  }
}

function isMeant({ id, owner }: OwnedContainer, { container, deploymentId }: LogQuestion): boolean {
  if (deploymentId !== null && owner.deploymentId !== deploymentId) return false;
  return container === null || owner.role === container || (container.length >= 12 && id.startsWith(container));
}

function pageOf(all: readonly ShownLine[], { tail, from }: LogQuestion): Pick<LogPage, 'lines' | 'hasMore'> {
  if (from === null) return { lines: all.slice(-tail), hasMore: all.length > tail };
  const later = all.filter(({ atMicros }) => atMicros > from.atMicros);
  const rest = all.filter(({ atMicros }) => atMicros === from.atMicros).slice(from.skip);
  const wanted = [...rest, ...later];
  const lines = wholeStamps(wanted, tail);
  return { lines, hasMore: lines.length < wanted.length };
}

/** Ends a page between two time stamps if possible, because lines with the same time stamp have no stable order. */
export function wholeStamps<Line extends { readonly atMicros: number }>(all: readonly Line[], count: number): Line[] {
  const next = all[count];
  if (!next) return [...all];
  const page = all.slice(0, count).filter(({ atMicros }) => atMicros < next.atMicros);
  // More lines of one time than fit into a page: keep them together.
  return page.length > 0 ? page : all.filter(({ atMicros }) => atMicros === next.atMicros);
}
