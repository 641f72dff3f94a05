import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../domain/organisation-scope.js';

/** Who wrote a line: the panel, a container, the health check of a container, or a build. */
export const LOG_SOURCES = ['panel', 'container', 'probe', 'build'] as const;
export type LogSource = (typeof LOG_SOURCES)[number];

export interface NewLogLine {
  readonly at: Date;
  /** The current step of the deployment. */
  readonly step: string;
  readonly source: LogSource;
  /** The name in the compose file. Null if the line is not about a single container. */
  readonly container: string | null;
  /** Untrusted unless the source is the panel. Secrets of the service are already redacted. */
  readonly text: string;
}

export interface DeploymentLogLine extends NewLogLine {
  /** Counted from 1. A gap means that lines were left out because there were too many. */
  readonly n: number;
}

export interface LogSlice {
  /** Only lines with a higher number. 0 for all lines. */
  readonly since: number;
  /** Maximum number of lines. The newest are returned. */
  readonly tail: number;
}

/** The logs of deployments, which are deleted with them. Of a long log, the first and the last part are kept. */
export abstract class DeploymentLog {
  /** Runs in the current transaction. Watchers of the deployment are notified when it commits. */
  abstract append(deploymentId: Uuid, lines: readonly NewLogLine[]): Promise<void>;
  /** Oldest first. Null for a deployment that does not exist. */
  abstract read(
    scope: OrganisationScope,
    deploymentId: Uuid,
    slice: LogSlice,
  ): Promise<readonly DeploymentLogLine[] | null>;
}
