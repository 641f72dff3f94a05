import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../domain/organisation-scope.js';

/** Who said it: the panel, a container, the last probe of one, or a build. */
export const LOG_SOURCES = ['panel', 'container', 'probe', 'build'] as const;
export type LogSource = (typeof LOG_SOURCES)[number];

export interface NewLogLine {
  readonly at: Date;
  /** The step under way. */
  readonly step: string;
  readonly source: LogSource;
  /** The name in the compose file; null for what is about no single container. */
  readonly container: string | null;
  /** Never to be trusted but from the panel; holds no secret of the service. */
  readonly text: string;
}

export interface DeploymentLogLine extends NewLogLine {
  /** From 1 on; a jump is what was left out, because there was too much. */
  readonly n: number;
}

export interface LogSlice {
  /** Only lines after this one; 0 for all. */
  readonly since: number;
  /** At most so many, the newest. */
  readonly tail: number;
}

/** What deployments said, kept for ever: of too much the first and the last part. */
export abstract class DeploymentLog {
  /** In the current transaction; watchers of the deployment are told as it commits. */
  abstract append(deploymentId: Uuid, lines: readonly NewLogLine[]): Promise<void>;
  /** Oldest first; null for a deployment that does not exist. */
  abstract read(
    scope: OrganisationScope,
    deploymentId: Uuid,
    slice: LogSlice,
  ): Promise<readonly DeploymentLogLine[] | null>;
}
