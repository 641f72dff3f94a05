export const GIT_HOSTS = ['github', 'gitlab', 'bitbucket', 'gitea'] as const;
export type GitHost = (typeof GIT_HOSTS)[number];

/** The hosts that everybody knows; each is of one provider alone. */
const WELL_KNOWN: ReadonlyMap<string, GitHost> = new Map([
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['bitbucket.org', 'bitbucket'],
  ['gitea.com', 'gitea'],
  ['codeberg.org', 'gitea'],
]);
/** Providers that people run themselves, under whatever name. */
const SELF_HOSTED: ReadonlySet<GitHost> = new Set(['gitlab', 'gitea'] as const);

/**
 * Whether a repository can be of the provider. A well-known host decides; any other may be GitLab or Gitea, and GitHub
 * or Bitbucket where its name says so.
 * @param host lower case
 */
export function isHostOf(provider: GitHost, host: string): boolean {
  for (const [name, owner] of WELL_KNOWN) {
    if (host === name || host.endsWith(`.${name}`)) return owner === provider;
  }
  return SELF_HOSTED.has(provider) || host.split('.').some((label) => label.startsWith(provider));
}

/** Where the files of one commit can be had as a tar archive, without signing in; null when nobody knows. */
export function archiveUrl(provider: GitHost, repositoryUrl: string, commit: string): string | null {
  if (!repositoryUrl.startsWith('https://')) return null;
  const base = repositoryUrl.replace(/\/+$/, '').replace(/\.git$/, '');
  switch (provider) {
    case 'github':
    case 'gitea':
      return `${base}/archive/${commit}.tar.gz`;
    case 'gitlab':
      return `${base}/-/archive/${commit}/source.tar.gz`;
    case 'bitbucket':
      return `${base}/get/${commit}.tar.gz`;
  }
}
