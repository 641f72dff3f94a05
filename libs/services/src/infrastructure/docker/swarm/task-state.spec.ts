import { UNSEEN, withEnding } from './swarm-labels.js';
import type { SwarmService, SwarmTask, TaskState } from './swarm-api.js';
import { detailsOfRun, lifecycleOfRun, runOf } from './task-state.js';

const OWNED = {
  id: 's',
  name: 'web',
  owner: { serviceId: 'x', deploymentId: 'd', role: 'web', specHash: 'h' },
  imageId: 'sha256:1',
};

function service(replicas: number, labels: Record<string, string> = {}, ForceUpdate = 1): SwarmService {
  const Spec = { Labels: labels, TaskTemplate: { ForceUpdate }, Mode: { Replicated: { Replicas: replicas } } };
  return {
    ID: 's',
    Version: { Index: 1 },
    Spec: { ...Spec, EndpointSpec: { Mode: 'dnsrr' } },
  } as unknown as SwarmService;
}

let made = 0;
function task(State: TaskState, DesiredState: TaskState, Err?: string, ForceUpdate = 1): SwarmTask {
  const at = new Date(Date.UTC(2026, 0, 1) + ++made * 1000).toISOString();
  const ExitCode = State === 'complete' || DesiredState !== 'shutdown' ? 0 : 3;
  return {
    ID: `t${made}`,
    CreatedAt: at,
    ServiceID: 's',
    NodeID: 'n',
    DesiredState,
    Spec: { ForceUpdate, ContainerSpec: { Healthcheck: {} } },
    Status: { Timestamp: at, State, Err, ContainerStatus: { ContainerID: 'c', ExitCode } },
  };
}

describe('the state of a container in a swarm', () => {
  const stopped = { 'panel.exit-code': '143', 'panel.finished-at': '2026-01-01T00:00:00.000Z' };

  it.each<[string, SwarmService, SwarmTask[], string]>([
    ['that was never started', service(0, {}, 0), [], 'created'],
    ['that was stopped', service(0, stopped), [], 'exited'],
    ['that was stopped without anybody seeing its end', service(0, withEnding({}, UNSEEN)), [], 'exited'],
    ['that is about to start', service(1), [], 'restarting'],
    ['whose image is being pulled', service(1), [task('preparing', 'running')], 'restarting'],
    ['for which no node suits', service(1), [task('pending', 'running', 'no suitable node')], 'restarting'],
    ['whose health is not known yet', service(1), [task('starting', 'running')], 'running'],
    ['that runs', service(1), [task('running', 'running')], 'running'],
    ['that is being stopped', service(0), [task('running', 'remove')], 'running'],
    ['that has just ended, and may be started again', service(1), [task('complete', 'running')], 'running'],
    ['that has done its work', service(1), [task('complete', 'shutdown')], 'exited'],
    ['that failed for good', service(1), [task('failed', 'shutdown')], 'exited'],
    ['that waits to be started again', service(1), [task('failed', 'shutdown'), task('ready', 'ready')], 'restarting'],
    ['that was unhealthy', service(1), [task('failed', 'shutdown', 'dockerexec: unhealthy container')], 'dead'],
    ['that a swarm moves', service(1), [task('running', 'running'), task('preparing', 'running')], 'running'],
    ['that was started anew', service(1, {}, 2), [task('failed', 'shutdown')], 'restarting'],
  ])('of one %s', (_, standing, tasks, lifecycle) => {
    expect(lifecycleOfRun(standing, runOf(standing, tasks))).toBe(lifecycle);
  });

  const details = (tasks: SwarmTask[], standing = service(1)) =>
    detailsOfRun(standing, OWNED, runOf(standing, tasks), null);

  it('tells how often the swarm started it again since it was last started, and how it ended', () => {
    const earlier = task('failed', 'shutdown', undefined, 0);
    const tasks = [earlier, task('failed', 'shutdown'), task('rejected', 'shutdown'), task('failed', 'shutdown')];
    expect(details(tasks)).toMatchObject({ lifecycle: 'exited', restartCount: 2, exitCode: 3 });
    expect(details([], service(0, stopped))).toMatchObject({
      exitCode: 143,
      finishedAt: new Date('2026-01-01T00:00:00.000Z'),
    });
    expect(details([], service(0, withEnding(stopped, UNSEEN)))).toMatchObject({ exitCode: null, finishedAt: null });
  });

  it('calls nobody well who has just proved sick', () => {
    const sick = task('failed', 'shutdown', 'task: non-zero exit (137): dockerexec: unhealthy container');
    expect(details([sick]).health).toBe('unhealthy');
    expect(details([sick, task('starting', 'running')]).health).toBe('unhealthy');
    expect(details([sick, task('running', 'running')]).health).toBe('healthy');
    expect(details([task('starting', 'running')]).health).toBe('starting');
  });
});
