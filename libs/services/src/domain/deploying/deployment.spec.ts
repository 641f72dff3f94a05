import { Conflict } from '#kernel/errors';
import { aMember, aTopology, NEW, SERVICE_ID } from '../../testing/a-group.js';
import { DeployFailure } from './deploy-failure.js';
import { DEPLOYMENT_TRIGGERS, type DeploymentTrigger } from './deployment-state.js';
import { Deployment } from './deployment.js';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 8, minute));
const ACTOR = { userId: null, apiKeyId: null };

function queued(trigger: DeploymentTrigger = 'redeploy'): Deployment {
  return Deployment.queue({
    id: NEW,
    serviceId: SERVICE_ID,
    trigger,
    actor: ACTOR,
    specVersion: 2,
    createdAt: at(0),
  });
}

const running = (trigger?: DeploymentTrigger) =>
  Deployment.restore({ ...queued(trigger).state, status: 'running', attempts: 1, startedAt: at(0) });

describe('a deployment', () => {
  it('has each step once, also when a second worker begins one anew', () => {
    const deployment = running();
    deployment.beginStep('validate', at(0));
    deployment.beginStep('pull', at(1));
    deployment.beginStep('pull', at(5));
    deployment.endStep('pull', new DeployFailure('timeout', 'slow'), at(6));
    expect(deployment.state.steps).toEqual([
      { name: 'validate', status: 'running', startedAt: at(0), finishedAt: null, message: null },
      { name: 'pull', status: 'failed', startedAt: at(5), finishedAt: at(6), message: 'timeout: slow' },
    ]);
  });

  it('is untouched until a step behind the commit point begins', () => {
    const deployment = running();
    deployment.beginStep('commit', at(1));
    expect(deployment.isUntouched).toBe(true);
    deployment.beginStep('create', at(2));
    expect(deployment.isUntouched).toBe(false);
  });

  it('passes its two marks, and remembers what need not run', () => {
    const deployment = running();
    expect(deployment.progress).toEqual({ committed: false, proven: false, strategy: null });
    deployment.commit(aTopology('web', aMember('job')), 'stop-first', at(1));
    expect(deployment.progress).toEqual({ committed: true, proven: false, strategy: 'stop-first' });
    deployment.prove(new Set(['job']), at(2));
    expect(deployment.progress).toEqual({ committed: true, proven: true, strategy: 'stop-first' });
    expect(deployment.topology?.members.map(({ role, oneShot }) => [role, oneShot])).toEqual([
      ['web', false],
      ['job', true],
    ]);
  });

  it('ends as failed, or as cancelled when that is why', () => {
    const [failed, cancelled] = [running(), running()];
    failed.fail(new DeployFailure('disk_full', 'No room.'), at(3), { reverted: true });
    cancelled.fail(new DeployFailure('cancelled', 'It was cancelled.'), at(3));
    expect(failed.state).toMatchObject({
      status: 'failed',
      reverted: true,
      errorMessage: 'disk_full: No room.',
      finishedAt: at(3),
    });
    expect(cancelled.state).toMatchObject({ status: 'cancelled', reverted: false });
  });

  it('can be cancelled unless it stops or removes a service', () => {
    const kept = DEPLOYMENT_TRIGGERS.filter((trigger) => {
      try {
        queued(trigger).cancel(at(1));
        return false;
      } catch (error) {
        return error instanceof Conflict;
      }
    });
    expect(kept).toEqual(['stop', 'suspend', 'unsuspend', 'remove']);
  });

  it('is cancelled at once while it waits, at its next step while it runs, and never once it is over', () => {
    const [waits, runs, over] = [queued(), running(), running()];
    waits.cancel(at(1));
    runs.cancel(at(1));
    over.succeed(at(1));
    expect(waits.state).toMatchObject({ status: 'cancelled', finishedAt: at(1) });
    expect(runs.state).toMatchObject({ status: 'running', cancelRequested: true, finishedAt: null });
    expect(() => over.cancel(at(2))).toThrow(Conflict);
  });
});
