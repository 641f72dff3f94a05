import type { Host } from './hook-delivery.js';

interface PullRequest {
  readonly number: number;
  readonly commit: string;
  readonly branch?: string;
  readonly isFork?: boolean;
}

type Change = 'opened' | 'pushed' | 'reopened' | 'closed';

const ACTIONS: Readonly<Record<Exclude<Host, 'bitbucket'>, Record<Change, string>>> = {
  github: { opened: 'opened', pushed: 'synchronize', reopened: 'reopened', closed: 'closed' },
  gitea: { opened: 'opened', pushed: 'synchronized', reopened: 'reopened', closed: 'closed' },
  gitlab: { opened: 'open', pushed: 'update', reopened: 'reopen', closed: 'close' },
};

const BITBUCKET_EVENTS: Readonly<Record<Change, string>> = {
  opened: 'pullrequest:created',
  pushed: 'pullrequest:updated',
  reopened: 'pullrequest:created',
  closed: 'pullrequest:rejected',
};

/** The event and the payload that a host sends for a change of a pull request. */
export function pullRequestOf(host: Host, change: Change, given: PullRequest): { event: string; payload: object } {
  const { number, commit, branch = 'feature', isFork = false } = given;
  const isOpen = change !== 'closed';
  const source = isFork ? 2 : 1;
  if (host === 'bitbucket')
    return {
      event: BITBUCKET_EVENTS[change],
      payload: {
        pullrequest: {
          id: number,
          state: isOpen ? 'OPEN' : 'DECLINED',
          source: {
            branch: { name: branch },
            commit: { hash: commit.slice(0, 12) },
            repository: { uuid: `{${source}}` },
          },
          destination: { branch: { name: 'main' }, repository: { uuid: '{1}' } },
        },
      },
    };
  const action = ACTIONS[host][change];
  if (host === 'gitlab')
    return {
      event: 'Merge Request Hook',
      payload: {
        object_attributes: {
          iid: number,
          action,
          state: isOpen ? 'opened' : 'closed',
          source_branch: branch,
          last_commit: { id: commit },
          source_project_id: source,
          target_project_id: 1,
        },
      },
    };
  return {
    event: host === 'gitea' && change === 'pushed' ? 'pull_request_sync' : 'pull_request',
    payload: {
      action,
      number,
      pull_request: {
        number,
        state: isOpen ? 'open' : 'closed',
        head: { ref: branch, sha: commit, repo: { id: source } },
        base: { ref: 'main', repo: { id: 1 } },
      },
    },
  };
}
