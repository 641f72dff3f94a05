import { aMember, aTopology } from '../../testing/a-group.js';
import { fateOf, withOneShots } from './group-topology.js';

describe('a container that ended', () => {
  const fate = (name: 'no' | 'always' | 'on-failure' | 'unless-stopped', exitCode: number | null, restartCount = 0) =>
    fateOf(aMember('job', { restart: { name, maximumRetries: name === 'on-failure' ? 3 : 0 } }), {
      exitCode,
      restartCount,
    });

  it('has done its work when it ended with 0 and was not to be restarted', () => {
    expect([fate('no', 0), fate('on-failure', 0)]).toEqual(['done', 'done']);
    expect([fate('always', 0), fate('unless-stopped', 0)]).toEqual(['runs-again', 'runs-again']);
  });

  it('runs again when it failed, until its retries are used up', () => {
    expect([fate('no', 1), fate('on-failure', 1, 2), fate('on-failure', 1, 3)]).toEqual([
      'runs-again',
      'runs-again',
      'exhausted',
    ]);
  });

  it('runs again when it never ran, or when it is not known what was asked of it', () => {
    expect(fate('no', null)).toBe('runs-again');
    expect(fateOf(aMember('old'), { exitCode: 0, restartCount: 0 })).toBe('runs-again');
  });

  it('is remembered beside those that were before', () => {
    const topology = withOneShots(aTopology(aMember('migrate', { oneShot: true }), 'job', 'web'), new Set(['job']));
    expect(topology.members.map(({ oneShot }) => oneShot)).toEqual([true, true, false]);
  });
});
