import { groupHealth, type HealthVerdict, type MemberHealth } from './group-health.js';

const member = (given: Partial<MemberHealth> = {}): MemberHealth => ({
  lifecycle: 'running',
  health: 'healthy',
  exitCode: null,
  restarted: false,
  ...given,
});

describe('the health of a group', () => {
  it.each<[HealthVerdict, string, MemberHealth[]]>([
    ['none', 'nothing', []],
    ['healthy', 'healthy members', [member(), member()]],
    ['unhealthy', 'one that is unhealthy', [member(), member({ health: 'unhealthy' }), member({ health: 'starting' })]],
    ['starting', 'one that starts', [member(), member({ health: 'starting' }), member({ health: 'none' })]],
    ['none', 'one that nobody checks', [member(), member({ health: 'none' })]],
    ['healthy', 'one whose work is done', [member(), member({ lifecycle: 'exited', exitCode: 0, health: 'none' })]],
    ['unhealthy', 'one that failed', [member(), member({ lifecycle: 'exited', exitCode: 3, health: 'none' })]],
    ['unhealthy', 'one that died with a good health', [member({ lifecycle: 'exited', exitCode: 137 })]],
    ['unhealthy', 'one that restarts', [member({ lifecycle: 'restarting', health: 'none' })]],
    ['unhealthy', 'one that runs again since the last look', [member({ health: 'none', restarted: true })]],
    ['unhealthy', 'one that is paused', [member({ lifecycle: 'paused' })]],
    ['starting', 'one that was not started yet', [member({ lifecycle: 'created', health: 'none' })]],
  ])('is %s with %s', (expected, _, members) => {
    expect(groupHealth(members)).toBe(expected);
    expect(groupHealth([...members].reverse())).toBe(expected);
  });
});
