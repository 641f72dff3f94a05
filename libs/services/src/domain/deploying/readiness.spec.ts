import { fulfils, judge, type ObservedContainer } from './readiness.js';

const GATE_MS = 10_000;
const running: ObservedContainer = {
  role: 'web',
  lifecycle: 'running',
  health: 'none',
  restartCount: 0,
  exitCode: null,
  oomKilled: false,
  probeSaid: null,
  steadyMs: GATE_MS,
};

describe('the health gate', () => {
  it.each<[string, Partial<ObservedContainer>, string]>([
    ['has run long enough', {}, 'ready'],
    ['has not run long enough', { steadyMs: GATE_MS - 1 }, 'waiting'],
    ['has not started yet', { lifecycle: 'created' }, 'waiting'],
    ['was restarted', { restartCount: 1 }, 'failed'],
    ['is being restarted', { lifecycle: 'restarting' }, 'failed'],
    ['ended with 0', { lifecycle: 'exited', exitCode: 0 }, 'ready'],
    ['ended with 1', { lifecycle: 'exited', exitCode: 1 }, 'failed'],
    ['is dead', { lifecycle: 'dead', exitCode: 0 }, 'failed'],
    ['is healthy, however short it runs', { health: 'healthy', steadyMs: 0 }, 'ready'],
    ['still starts, however long it runs', { health: 'starting' }, 'waiting'],
    ['is unhealthy', { health: 'unhealthy' }, 'failed'],
    ['restarts until it is healthy', { health: 'starting', restartCount: 3 }, 'waiting'],
  ])('a container that %s', (_, given, kind) => {
    expect(judge({ ...running, ...given }, GATE_MS).kind).toBe(kind);
  });

  it('knows who has done its work, and says when memory was the reason', () => {
    expect(judge({ ...running, lifecycle: 'exited', exitCode: 0 }, GATE_MS)).toEqual({ kind: 'ready', ended: true });
    expect(judge({ ...running, lifecycle: 'exited', exitCode: 137, oomKilled: true }, GATE_MS)).toEqual({
      kind: 'failed',
      reason: 'web ended with exit code 137, killed because memory ran out',
      quote: null,
    });
    expect(judge({ ...running, lifecycle: 'dead', health: 'unhealthy', exitCode: 137 }, GATE_MS)).toEqual({
      kind: 'failed',
      reason: 'web is unhealthy',
      quote: null,
    });
  });
});

describe('a dependency', () => {
  const over = { ...running, lifecycle: 'exited', exitCode: 0 } as const;

  it.each([
    ['service_started', running, 'ready'],
    ['service_healthy', { ...running, health: 'healthy' }, 'ready'],
    ['service_healthy', { ...running, health: 'starting' }, 'waiting'],
    ['service_healthy', { ...running, health: 'unhealthy' }, 'failed'],
    ['service_healthy', running, 'failed'],
    ['service_healthy', over, 'failed'],
    ['service_completed_successfully', running, 'waiting'],
    ['service_completed_successfully', over, 'ready'],
    ['service_completed_successfully', { ...over, exitCode: 2 }, 'failed'],
  ] as const)('on %s', (condition, container, kind) => {
    expect(fulfils(condition, container).kind).toBe(kind);
  });
});
