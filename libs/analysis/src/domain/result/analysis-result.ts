import type { DatabaseKind } from '../facts/database-kinds.js';

export const BUILD_METHODS = ['auto', 'dockerfile'] as const;
export type BuildMethod = (typeof BUILD_METHODS)[number];

export interface AnalysedVariable {
  readonly name: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly default: string | null;
  readonly description: string | null;
  /** `path:line`, where the repository names it. */
  readonly evidence: string;
}

export interface AnalysedDatabase {
  readonly kind: DatabaseKind;
  /** The template that gives one; null when this panel has none of the kind. */
  readonly template_id: string | null;
  /** By variable of the application: what it must hold, with `{host}`, `{port}`, `{database}`, `{username}`, `{password}`. */
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

/** How to get a database that the application needs, and what to tell the application then. */
export interface DatabaseDeployment {
  readonly template_id: string;
  /** The body of `POST /templates/{template_id}/deploy`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Further `variables` of the other bodies, with `{password}` where the password of the database belongs. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The bodies of the requests that deploy the repository; null where it cannot be deployed that way. */
export interface DeployBodies {
  /** To be deployed first. */
  readonly databases: readonly DatabaseDeployment[];
  readonly git: Readonly<Record<string, unknown>> | null;
  readonly compose: Readonly<Record<string, unknown>> | null;
}

/** What an analysis tells, as the API writes it. */
export interface AnalysisResult {
  readonly summary: string;
  readonly language: string | null;
  readonly framework: string | null;
  readonly package_manager: string | null;
  readonly build_method: BuildMethod;
  /** 0 to 1: how much of it is told by files. */
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
