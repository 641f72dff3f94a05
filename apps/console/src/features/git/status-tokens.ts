import { GIT_HOSTS, type GitHost } from '../analysis/git-hosts';

/** What a token must be allowed, in the words of its host. */
const TOKENS: Readonly<Record<GitHost, string>> = {
  github: 'A token with “Commit statuses: write” for this repository.',
  gitlab: 'A project access token with the scope “api”.',
  gitea: 'An access token with the scope “write:repository”.',
  bitbucket: 'A repository access token that may write to the repository.',
};

/** @param host null for one that the panel knows by its name */
export const tokenHint = (host: GitHost | null): string =>
  host === null ? 'A token of the Git host that may set commit statuses of this repository.' : TOKENS[host];

export const hostIn = (value: string): GitHost | null => GIT_HOSTS.find(([host]) => host === value)?.[0] ?? null;
export const hostTitle = (wanted: GitHost | null): string =>
  GIT_HOSTS.find(([host]) => host === wanted)?.[1] ?? 'known by its name';
