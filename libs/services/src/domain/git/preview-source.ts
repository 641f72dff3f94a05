import type { GitSource } from './git-source.js';

/** Where previews of pull requests are made, and what they get. */
export interface PreviewSettings {
  readonly enabled: boolean;
  /** How long a preview lasts after its last push. */
  readonly hours: number;
  /** Names of the variables of the service that its previews get too. */
  readonly variables: readonly string[];
}

export const NO_PREVIEWS: PreviewSettings = { enabled: false, hours: 72, variables: [] };

/**
 * What a preview is made from: the service's source on another branch. Every push to its pull request counts. The fields
 * are named one by one, so that a new one does not get to previews unseen. Build secrets are of production alone.
 */
export function previewSource(source: GitSource, branch: string): GitSource {
  const { url, buildMethod, port, deployKey, knownHosts, dockerfilePath, baseDirectory, buildArgs, volumes } = source;
  const clone = { url, branch, deployKey, knownHosts };
  const build = { buildMethod, dockerfilePath, baseDirectory, buildArgs };
  return { ...clone, ...build, port, volumes, watchPaths: [], buildSecrets: {} };
}

/** The values that are marked for previews; everything else is of production alone. */
export function previewVariables(
  variables: ReadonlyMap<string, string>,
  { variables: marked }: PreviewSettings,
): ReadonlyMap<string, string> {
  return new Map([...variables].filter(([name]) => marked.includes(name)));
}
