import type { DatabaseKind } from './database-kinds.js';

export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

export const evidenceOf = ({ path, line }: Place): string => `${path}:${line}`;

export interface NamedVariable {
  readonly name: string;
  /** The example's value, where it is one that may be shown. */
  readonly default: string | null;
  readonly description: string | null;
  readonly place: Place;
}

/** How the repository is built and run, as the detection of Git deployments tells it. */
export interface DetectedBuild {
  readonly language: string;
  readonly version: string;
  readonly framework: string | null;
  readonly packageManager: string | null;
  readonly installCommands: readonly string[];
  readonly buildCommands: readonly string[];
  readonly startCommand: string | null;
  readonly port: number | null;
  readonly outputFolder: string | null;
  readonly warnings: readonly string[];
}

/** Everything that files of a repository tell without a model. */
export interface RepositoryFacts {
  readonly build: DetectedBuild | null;
  /** The repository's own, in its root. */
  readonly dockerfile: {
    readonly text: string;
    readonly port: number | null;
    readonly volumes: readonly string[];
  } | null;
  /** Commands by which the repository says it is started. */
  readonly startCommands: readonly string[];
  readonly variables: readonly NamedVariable[];
  readonly databases: readonly { readonly kind: DatabaseKind; readonly place: Place }[];
  /** What its README calls it; null without one. */
  readonly title: string | null;
}
