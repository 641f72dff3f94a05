const NAMES: Readonly<Record<string, string>> = {
  gitRepoUrl: 'git_repo_url',
  gitBranch: 'git_branch',
  buildMethod: 'build_method',
  deployKey: 'deploy_key',
  knownHosts: 'known_hosts',
  dockerfilePath: 'dockerfile_path',
  baseDirectory: 'base_directory',
  watchPaths: 'watch_paths',
  buildArgs: 'build_args',
};

/** MCP tools use camelCase, but the REST fields of repositories are in snake_case. */
export function inWordsOfGit(
  given: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const names = { ...NAMES, ...more };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [names[name] ?? name, value]));
}
