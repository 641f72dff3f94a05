import type { DatabaseKind } from '../facts/database-kinds.js';

export const BUILD_METHODS = ['auto', 'dockerfile'] as const;
export type BuildMethod = (typeof BUILD_METHODS)[number];

export interface AnalysedVariable {
  readonly name: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly default: string | null;
  readonly description: string | null;
  /** `path:line` of the place in the repository that names it. */
  readonly evidence: string;
}

export interface AnalysedDatabase {
  readonly kind: DatabaseKind;
  /** The template for such a database; null if this panel has none. */
  readonly template_id: string | null;
  /**
   * The value of each variable of the application, with `{host}`, `{port}`, `{database}`, `{username}`, `{password}`.
   */
  readonly env_mapping: Readonly<Record<string, string>>;
  readonly evidence: string;
}

export interface AnalysedVolume {
  readonly name: string;
  readonly path: string;
}

export interface SuggestedLimits {
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly diskMb: number;
}

/** How to deploy a database that the application needs, and the application's variables for it. */
export interface DatabaseDeployment {
  readonly template_id: string;
  /** The body of `POST /templates/{template_id}/deploy`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Further `variables` of the other bodies, with `{password}` in place of the database's password. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The bodies of the requests that deploy the repository; null if it cannot be deployed that way. */
export interface DeployBodies {
  /** To be deployed first. */
  readonly databases: readonly DatabaseDeployment[];
  readonly git: Readonly<Record<string, unknown>> | null;
  readonly compose: Readonly<Record<string, unknown>> | null;
}

/** The result of an analysis, as in the API. */
export interface AnalysisResult {
  readonly summary: string;
  readonly language: string | null;
  readonly framework: string | null;
  readonly package_manager: string | null;
  readonly build_method: BuildMethod;
  /** 0 to 1: how much of the result is based on files. */
  readonly confidence: number;
  readonly port: number;
  readonly start_command: string | null;
  readonly dockerfile: string | null;
  readonly compose_yaml: string | null;
  readonly env_vars: readonly AnalysedVariable[];
  readonly databases: readonly AnalysedDatabase[];
  readonly volumes: readonly AnalysedVolume[];
  readonly healthcheck: { readonly path: string } | null;
  readonly resource_limits: SuggestedLimits;
  readonly warnings: readonly string[];
  readonly deploy: DeployBodies;
}
