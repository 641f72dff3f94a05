export const GIT_PROVIDERS = ['github', 'gitlab', 'gitea', 'bitbucket'] as const;
export type GitProvider = (typeof GIT_PROVIDERS)[number];

/** A push to one branch. */
export interface BranchPush {
  readonly branch: string;
  /** Null if the branch was deleted. */
  readonly commit: string | null;
  /** All paths that the push changes. Null if the message does not list all of them. */
  readonly paths: readonly string[] | null;
}

type Json = Readonly<Record<string, unknown>>;

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** With this many commits, the hosts may have shortened the list. */
const MAX_LISTED = 20;

/** @returns the pushed branches in a message of a host; none for tags and malformed messages */
export function readPush(provider: GitProvider, payload: unknown): readonly BranchPush[] {
  if (!isObject(payload)) return [];
  return provider === 'bitbucket' ? readBitbucket(payload) : readRefPush(payload);
}

/** GitHub, GitLab and Gitea use the same format. */
function readRefPush(payload: Json): readonly BranchPush[] {
  const ref = payload['ref'];
  const after = payload['after'] ?? payload['checkout_sha'];
  if (typeof ref !== 'string' || !ref.startsWith('refs/heads/') || typeof after !== 'string') return [];
  const isDeleted = /^0+$/.test(after) || payload['deleted'] === true;
  if (!isDeleted && !COMMIT.test(after)) return [];
  const branch = ref.slice('refs/heads/'.length);
  return [{ branch, commit: isDeleted ? null : after, paths: changedPaths(payload) }];
}

function changedPaths(payload: Json): readonly string[] | null {
  const commits = payload['commits'];
  const total = payload['total_commits_count'] ?? payload['total_commits'];
  if (!Array.isArray(commits) || commits.length === 0 || commits.length >= MAX_LISTED) return null;
  if (typeof total === 'number' && total > commits.length) return null;
  const lists = commits.flatMap((commit: unknown) =>
    isObject(commit) ? ['added', 'modified', 'removed'].map((kind) => commit[kind]) : [null],
  );
  if (!lists.every((list) => Array.isArray(list))) return null;
  return lists.flat().filter((path): path is string => typeof path === 'string');
}

/** Bitbucket lists no paths, and one message can contain several branches. */
function readBitbucket(payload: Json): readonly BranchPush[] {
  const push = payload['push'];
  const changes = isObject(push) ? push['changes'] : null;
  if (!Array.isArray(changes)) return [];
  return changes.slice(0, 50).flatMap((change: unknown): BranchPush[] => {
    if (!isObject(change)) return [];
    const { new: after, old: before } = change;
    const side = isObject(after) ? after : isObject(before) ? before : null;
    if (!side || side['type'] !== 'branch' || typeof side['name'] !== 'string') return [];
    const target = isObject(after) ? after['target'] : null;
    const commit = isObject(target) && typeof target['hash'] === 'string' ? target['hash'] : null;
    if (isObject(after) && (commit === null || !COMMIT.test(commit))) return [];
    return [{ branch: side['name'], commit, paths: null }];
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
