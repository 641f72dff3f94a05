export const GIT_HOSTS = [
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['bitbucket', 'Bitbucket'],
  ['gitea', 'Gitea or Forgejo'],
] as const;
export type GitHost = (typeof GIT_HOSTS)[number][0];

/** The provider that an address tells by itself; null for hosts of one's own. */
export function hostOf(url: string): GitHost | null {
  const name = /^(?:https:\/\/|ssh:\/\/|git@)?(?:[^@/]+@)?([^/:]+)/.exec(url.trim())?.[1]?.toLowerCase() ?? '';
  return GIT_HOSTS.find(([host]) => name === `${host}.com` || name === `${host}.org`)?.[0] ?? null;
}
