export const GIT_HOSTS = ['github', 'gitlab', 'bitbucket', 'gitea'] as const;
export type GitHost = (typeof GIT_HOSTS)[number];

/** Well-known hosts. Each belongs to one provider. */
const WELL_KNOWN: ReadonlyMap<string, GitHost> = new Map([
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['bitbucket.org', 'bitbucket'],
  ['gitea.com', 'gitea'],
  ['codeberg.org', 'gitea'],
]);
/** Providers that can be self-hosted under any name. */
const SELF_HOSTED: ReadonlySet<GitHost> = new Set(['gitlab', 'gitea'] as const);

/**
 * Whether a host can be of the provider. A well-known host belongs to one provider. Any other host may be GitLab or
 * Gitea, or GitHub or Bitbucket if its name says so.
 * @param host lower case
 */
export function isHostOf(provider: GitHost, host: string): boolean {
  for (const [name, owner] of WELL_KNOWN) {
    if (host === name || host.endsWith(`.${name}`)) return owner === provider;
  }
  return SELF_HOSTED.has(provider) || host.split('.').some((label) => label.startsWith(provider));
}

/** The address of a commit's files as a public tar archive; null if unknown. */
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
