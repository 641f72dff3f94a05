import type { GitAddress } from './git-address.js';
import type { GitProvider } from './push-event.js';

export const COMMIT_STATES = ['pending', 'success', 'failure', 'cancelled'] as const;
export type CommitState = (typeof COMMIT_STATES)[number];

/** The status of a commit that is reported to a Git host. */
export interface CommitStatus {
  readonly state: CommitState;
  readonly commit: string;
  /** Each service reports its own status for the commit, under its name. */
  readonly serviceName: string;
  readonly serviceId: string;
  /** The page of the deployment. */
  readonly targetUrl: string;
}

/** A POST request to the API of a Git host, without the token. */
export interface StatusCall {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** The header for the token, and the prefix of its value. */
  readonly credential: { readonly header: string; readonly prefix: string };
  readonly body: Readonly<Record<string, string>>;
}

const STATES: Readonly<Record<GitProvider, Readonly<Record<CommitState, string>>>> = {
  github: { pending: 'pending', success: 'success', failure: 'failure', cancelled: 'error' },
  gitea: { pending: 'pending', success: 'success', failure: 'failure', cancelled: 'error' },
  gitlab: { pending: 'pending', success: 'success', failure: 'failed', cancelled: 'canceled' },
  bitbucket: { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED', cancelled: 'STOPPED' },
};

const DESCRIPTIONS: Readonly<Record<CommitState, string>> = {
  pending: 'The deployment is waiting or running.',
  success: 'The commit is deployed.',
  failure: 'The deployment failed.',
  cancelled: 'The deployment was cancelled, or a newer one replaced it.',
};

const LARGE_HOSTS: Readonly<Record<string, GitProvider>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
};
/** Hosts whose API has a different host name. */
const API_HOSTS: Readonly<Record<string, string>> = {
  'github.com': 'api.github.com',
  'bitbucket.org': 'api.bitbucket.org',
};
const HTTPS_PORT = 443;
/** Bitbucket allows at most 40 characters in a key, so only the end of the service's id is used. */
const KEY_OF_ID = 12;

/** Null for a host whose software is unknown. */
export function providerOf({ host }: GitAddress): GitProvider | null {
  return Object.hasOwn(LARGE_HOSTS, host) ? (LARGE_HOSTS[host] ?? null) : null;
}

/** @returns null if the path is not that of a repository on this kind of host */
export function statusCall(provider: GitProvider, address: GitAddress, status: CommitStatus): StatusCall | null {
  const repository = address.path.replace(/^\/?(?:~\/)?/, '').replace(/\/?(?:\.git)?\/?$/, '');
  const parts = repository.split('/');
  if (parts.includes('') || (provider === 'gitlab' ? parts.length < 2 : parts.length !== 2)) return null;
  const { commit } = status;
  const host = API_HOSTS[address.host] ?? address.host;
  // An SSH port is not the port of the API.
  const port = address.transport === 'https' ? address.port : HTTPS_PORT;
  const path = {
    github: `${host === address.host ? '/api/v3' : ''}/repos/${repository}/statuses/${commit}`,
    gitea: `/api/v1/repos/${repository}/statuses/${commit}`,
    gitlab: `/api/v4/projects/${encodeURIComponent(repository)}/statuses/${commit}`,
    bitbucket: `/2.0/repositories/${repository}/commit/${commit}/statuses/build`,
  }[provider];
  return { host, port, path, credential: CREDENTIALS[provider], body: bodyOf(provider, status) };
}

const CREDENTIALS: Readonly<Record<GitProvider, StatusCall['credential']>> = {
  github: { header: 'authorization', prefix: 'Bearer ' },
  gitea: { header: 'authorization', prefix: 'token ' },
  gitlab: { header: 'private-token', prefix: '' },
  bitbucket: { header: 'authorization', prefix: 'Bearer ' },
};

function bodyOf(provider: GitProvider, status: CommitStatus): StatusCall['body'] {
  const { serviceName, serviceId, targetUrl } = status;
  const state = STATES[provider][status.state];
  const description = DESCRIPTIONS[status.state];
  const name = `panel/${serviceName}`;
  if (provider === 'bitbucket')
    return { state, key: `panel-${serviceId.slice(-KEY_OF_ID)}`, name, url: targetUrl, description };
  const label: StatusCall['body'] = provider === 'gitlab' ? { name } : { context: name };
  return { state, ...label, target_url: targetUrl, description };
}
