import { isJsonObject } from '#kernel/text/json-object';
import type { GitProvider } from './push-event.js';

/** An event of a pull request that matters for its preview. */
export interface PullRequestEvent {
  readonly number: number;
  /** `open` also stands for an open pull request with a new commit. */
  readonly kind: 'open' | 'reopen' | 'close';
  readonly branch: string;
  /** Full id, except that Bitbucket sends only the first twelve digits. */
  readonly commit: string;
  /** The branch is in another repository, to which people without access to this one may be able to push. */
  readonly isFork: boolean;
}

type Json = Readonly<Record<string, unknown>>;
type Kind = PullRequestEvent['kind'];

const COMMIT = /^(?:[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64})$/;
const WHOLE_COMMIT = 40;
const MAX_NUMBER = 2_147_483_647;

const GITHUB_KINDS: Readonly<Record<string, Kind>> = {
  opened: 'open',
  synchronize: 'open',
  synchronized: 'open',
  reopened: 'reopen',
  closed: 'close',
};
const GITLAB_KINDS: Readonly<Record<string, Kind>> = {
  open: 'open',
  update: 'open',
  reopen: 'reopen',
  close: 'close',
  merge: 'close',
};
const BITBUCKET_KINDS: Readonly<Record<string, Kind>> = {
  'pullrequest:created': 'open',
  'pullrequest:updated': 'open',
  'pullrequest:fulfilled': 'close',
  'pullrequest:rejected': 'close',
};

/** @param event name of the event, from a header of the host @returns null if it does not matter for previews */
export function readPullRequest(provider: GitProvider, event: string, payload: unknown): PullRequestEvent | null {
  if (!isJsonObject(payload)) return null;
  const read = READERS[provider](event, payload);
  if (!read || !read.kind) return null;
  const { number, kind, branch, commit, isFork } = read;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > MAX_NUMBER) return null;
  if (typeof branch !== 'string' || typeof commit !== 'string' || !COMMIT.test(commit)) return null;
  return { number, kind, branch, commit, isFork };
}

/** The ref to deploy: the commit if its full id is known, or else the branch. */
export function refOf({ branch, commit }: PullRequestEvent): string {
  return commit.length < WHOLE_COMMIT ? branch : commit;
}

interface Read {
  readonly number: unknown;
  readonly kind: Kind | undefined;
  readonly branch: unknown;
  readonly commit: unknown;
  readonly isFork: boolean;
}

const READERS: Readonly<Record<GitProvider, (event: string, payload: Json) => Read | null>> = {
  github: readGithub,
  gitea: readGithub,
  gitlab: readGitlab,
  bitbucket: readBitbucket,
};

/** Gitea uses the format of GitHub. */
function readGithub(event: string, { action, pull_request: request }: Json): Read | null {
  if (!/^pull_request(?:_sync)?$/.test(event) || !isJsonObject(request)) return null;
  const { number, state, head, base } = request;
  if (!isJsonObject(head) || !isJsonObject(base)) return null;
  const kind = kindOf(GITHUB_KINDS, action, state === 'open');
  return { number, kind, branch: head['ref'], commit: head['sha'], isFork: !isSame(head['repo'], base['repo'], 'id') };
}

function readGitlab(event: string, { object_attributes: request }: Json): Read | null {
  if (event !== 'Merge Request Hook' || !isJsonObject(request)) return null;
  const { iid, action, state, source_branch: branch, last_commit: last } = request;
  const { source_project_id: source, target_project_id: target } = request;
  const kind = kindOf(GITLAB_KINDS, action, state === 'opened');
  const isFork = typeof source !== 'number' || source !== target;
  return { number: iid, kind, branch, commit: isJsonObject(last) ? last['id'] : null, isFork };
}

function readBitbucket(event: string, { pullrequest: request }: Json): Read | null {
  if (!isJsonObject(request)) return null;
  const { id, state, source, destination } = request;
  if (!isJsonObject(source) || !isJsonObject(destination)) return null;
  const { branch, commit, repository } = source;
  return {
    number: id,
    kind: kindOf(BITBUCKET_KINDS, event, state === 'OPEN'),
    branch: isJsonObject(branch) ? branch['name'] : null,
    commit: isJsonObject(commit) ? commit['hash'] : null,
    isFork: !isSame(repository, destination['repository'], 'uuid'),
  };
}

/** Undefined for a delayed event of a pull request that is already closed, unless the event closes it. */
function kindOf(kinds: Readonly<Record<string, Kind>>, action: unknown, isOpen: boolean): Kind | undefined {
  const kind = typeof action === 'string' && Object.hasOwn(kinds, action) ? kinds[action] : undefined;
  return kind === 'close' || isOpen ? kind : undefined;
}

/** A deleted fork is null in the payload and counts as another repository. */
function isSame(one: unknown, other: unknown, key: string): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const id = one[key];
  return (typeof id === 'number' || (typeof id === 'string' && id !== '')) && id === other[key];
}
