import type { GitSource } from './git-source.js';

/** Whether a service has previews of pull requests, and what the previews get. */
export interface PreviewSettings {
  readonly enabled: boolean;
  /** How many hours a preview is kept after the last push. */
  readonly hours: number;
  /** Names of the service's variables that its previews get as well. */
  readonly variables: readonly string[];
}

export const NO_PREVIEWS: PreviewSettings = { enabled: false, hours: 72, variables: [] };

/**
 * The source of a preview: that of the service on another branch, without watch paths, since every push to a pull
 * request is deployed. Build secrets are for production only. Fields are copied one by one, so that a new field does
 * not reach previews by accident.
 */
export function previewSource(source: GitSource, branch: string): GitSource {
  const { url, buildMethod, port, deployKey, knownHosts, dockerfilePath, baseDirectory, buildArgs, volumes } = source;
  const clone = { url, branch, deployKey, knownHosts };
  const build = { buildMethod, dockerfilePath, baseDirectory, buildArgs };
  return { ...clone, ...build, port, volumes, watchPaths: [], buildSecrets: {} };
}

/** The variables that previews get. All others are for production only. */
export function previewVariables(
  variables: ReadonlyMap<string, string>,
  { variables: marked }: PreviewSettings,
): ReadonlyMap<string, string> {
  return new Map([...variables].filter(([name]) => marked.includes(name)));
}
