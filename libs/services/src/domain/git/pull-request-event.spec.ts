import { readPullRequest, refOf } from './pull-request-event.js';

const COMMIT = 'a'.repeat(40);

const github = (action: string, given: { state?: string; head?: object | null } = {}) => ({
  action,
  pull_request: {
    number: 7,
    state: given.state ?? 'open',
    head: { ref: 'feature', sha: COMMIT, repo: given.head === undefined ? { id: 1 } : given.head },
    base: { ref: 'main', repo: { id: 1 } },
  },
});
const gitlab = (action: string, given: { state?: string; source?: number | null } = {}) => ({
  object_attributes: {
    iid: 7,
    action,
    state: given.state ?? 'opened',
    source_branch: 'feature',
    last_commit: { id: COMMIT },
    source_project_id: given.source === undefined ? 1 : given.source,
    target_project_id: 1,
  },
});
const bitbucket = (given: { state?: string; source?: object | null } = {}) => ({
  pullrequest: {
    id: 7,
    state: given.state ?? 'OPEN',
    destination: { repository: { uuid: '{1}' } },
    source: {
      branch: { name: 'feature' },
      commit: { hash: COMMIT.slice(0, 12) },
      repository: given.source === undefined ? { uuid: '{1}' } : given.source,
    },
  },
});

const MR = 'Merge Request Hook';
const feature = { number: 7, branch: 'feature', commit: COMMIT, isFork: false };

describe('an event of a pull request', () => {
  it.each([
    ['github', 'pull_request', github('opened'), 'open'],
    ['github', 'pull_request', github('synchronize'), 'open'],
    ['github', 'pull_request', github('reopened'), 'reopen'],
    ['github', 'pull_request', github('closed', { state: 'closed' }), 'close'],
    ['gitea', 'pull_request', github('opened'), 'open'],
    ['gitea', 'pull_request_sync', github('synchronized'), 'open'],
    ['gitlab', MR, gitlab('open'), 'open'],
    ['gitlab', MR, gitlab('update'), 'open'],
    ['gitlab', MR, gitlab('reopen'), 'reopen'],
    ['gitlab', MR, gitlab('close', { state: 'closed' }), 'close'],
    ['gitlab', MR, gitlab('merge', { state: 'merged' }), 'close'],
  ] as const)('of %s, %s, is read', (provider, event, payload, kind) => {
    expect(readPullRequest(provider, event, payload)).toEqual({ ...feature, kind });
  });

  it.each([
    ['pullrequest:created', 'OPEN', 'open'],
    ['pullrequest:updated', 'OPEN', 'open'],
    ['pullrequest:fulfilled', 'MERGED', 'close'],
    ['pullrequest:rejected', 'DECLINED', 'close'],
  ])('of bitbucket, %s, is read: its short commit id stands for the branch', (event, state, kind) => {
    const read = readPullRequest('bitbucket', event, bitbucket({ state }));
    expect(read).toEqual({ ...feature, commit: COMMIT.slice(0, 12), kind });
    expect(read && refOf(read)).toBe('feature');
  });

  it.each([
    ['github', 'pull_request', github('opened', { head: { id: 2 } })],
    ['github', 'pull_request', github('opened', { head: null })],
    ['github', 'pull_request', github('opened', { head: {} })],
    ['gitea', 'pull_request', github('opened', { head: { id: '1' } })],
    ['gitlab', MR, gitlab('open', { source: 2 })],
    ['gitlab', MR, gitlab('open', { source: null })],
    ['bitbucket', 'pullrequest:created', bitbucket({ source: { uuid: '{2}' } })],
    ['bitbucket', 'pullrequest:created', bitbucket({ source: null })],
  ] as const)('from another repository of %s is told as a fork', (provider, event, payload) => {
    expect(readPullRequest(provider, event, payload)?.isFork).toBe(true);
  });

  it.each([
    ['github', 'pull_request', github('labeled')],
    ['github', 'pull_request', github('constructor')],
    ['github', 'pull_request', github('synchronize', { state: 'closed' })],
    ['github', 'push', github('opened')],
    ['github', 'pull_request', { action: 'opened' }],
    ['github', 'pull_request', null],
    ['gitlab', MR, gitlab('approved')],
    ['gitlab', 'Push Hook', gitlab('open')],
    ['bitbucket', 'pullrequest:comment_created', bitbucket()],
    ['bitbucket', 'pullrequest:created', bitbucket({ state: 'MERGED' })],
  ] as const)('of %s that concerns no preview is passed over', (provider, event, payload) => {
    expect(readPullRequest(provider, event, payload)).toBeNull();
  });

  it.each([{ sha: 'HEAD' }, { sha: '--upload-pack=x' }, { ref: 5 }])('with nonsense in it is passed over', (head) => {
    const { pull_request: request, ...rest } = github('opened');
    const payload = { ...rest, pull_request: { ...request, head: { ...request.head, ...head } } };
    expect(readPullRequest('github', 'pull_request', payload)).toBeNull();
    expect(
      readPullRequest('github', 'pull_request', { ...rest, pull_request: { ...request, number: 1.5 } }),
    ).toBeNull();
  });
});
