import { DATABASE_DEFAULTS } from '../facts/database-kinds.js';
import type { AnalysedVariable, DatabaseDeployment } from './analysis-result.js';
import type { MergedAnalysis } from './merge.js';

export interface AnalysedRepository {
  readonly url: string;
  readonly branch: string;
}

/** The body of `POST /services/git`; null if there is neither a Dockerfile nor a detected build. */
export function gitBodyOf(
  merged: MergedAnalysis,
  { url, branch }: AnalysedRepository,
  canBeBuilt: boolean,
): Readonly<Record<string, unknown>> | null {
  if (!canBeBuilt) return null;
  return {
    name: serviceName(url),
    git_repo_url: url,
    git_branch: branch,
    build_method: merged.build_method,
    port: merged.port,
    variables: defaultsOf(merged.env_vars),
    volumes: merged.volumes,
    resource_limits: merged.resource_limits,
  };
}

/** The body of `POST /services`. */
export function composeBodyOf(
  merged: MergedAnalysis,
  composeYaml: string | null,
  url: string,
): Readonly<Record<string, unknown>> | null {
  if (composeYaml === null) return null;
  return { name: serviceName(url), composeYaml, resourceLimits: merged.resource_limits };
}

/**
 * One deployment for each database that files name and this panel has a template for. Its host is a name on the network
 * of the organisation, which services from repositories join.
 */
export function databaseBodiesOf({ databases }: MergedAnalysis, url: string): readonly DatabaseDeployment[] {
  return databases.flatMap(({ kind, template_id, env_mapping, evidence }): DatabaseDeployment[] => {
    if (template_id === null || evidence === '') return [];
    const { port, username, database } = DATABASE_DEFAULTS[kind];
    const host = `${serviceName(url)}-${kind}`;
    const known: Readonly<Record<string, string>> = { host, port: String(port), username, database };
    const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
    const names = database === '' ? {} : { DB_NAME: database, DB_USER: username };
    return [
      {
        template_id,
        body: { name: host, variables: { SERVICE_NAME: host, ...names } },
        variables: Object.fromEntries(Object.entries(env_mapping).map(([name, text]) => [name, filled(text)])),
      },
    ];
  });
}

/** The variables that the user must set before the application can work. */
export function missingValues(variables: readonly AnalysedVariable[]): readonly string[] {
  return variables.filter((variable) => variable.required && variable.default === null).map(({ name }) => name);
}

/** A service name made from the repository's name. */
export function serviceName(url: string): string {
  const last = url.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
  const name = last
    .replace(/\.git$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return name || 'application';
}

function defaultsOf(variables: readonly AnalysedVariable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    variables.flatMap(({ name, default: value }) => (value === null || name === 'PORT' ? [] : [[name, value]])),
  );
}
