import type { DatabaseKind } from './database-kinds.js';

export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

export const evidenceOf = ({ path, line }: Place): string => `${path}:${line}`;

export interface NamedVariable {
  readonly name: string;
  /** The value in the example, if it may be shown. */
  readonly default: string | null;
  readonly description: string | null;
  readonly place: Place;
}

/** How the repository is built and run, by the build detection of Git deployments. */
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

/** Everything known from the files of a repository, without a model. */
export interface RepositoryFacts {
  readonly build: DetectedBuild | null;
  /** The Dockerfile in the root of the repository. */
  readonly dockerfile: {
    readonly text: string;
    readonly port: number | null;
    readonly volumes: readonly string[];
  } | null;
  /** Start commands named in the repository. */
  readonly startCommands: readonly string[];
  readonly variables: readonly NamedVariable[];
  readonly databases: readonly { readonly kind: DatabaseKind; readonly place: Place }[];
  /** The title of the README; null without one. */
  readonly title: string | null;
}
