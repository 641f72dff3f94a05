import { aService, NEW } from '../testing/a-group.js';
import type { ServiceState } from './service-state.js';
import { Service } from './service.js';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 8, minute));
const service = (given: Partial<ServiceState> = {}) => Service.restore(aService(given));
const REASON = { code: 'disk_full', message: 'No room.', deploymentId: NEW, at: at(1) };
const GROUP = { containerIds: ['c1'], networkId: 'n', portMappings: [] };

describe('a service', () => {
  it('is new, then runs, once its deployment has proven itself', () => {
    const { id, customerId, name, description, deploymentType, templateName, resourceLimits, createdAt } = aService();
    const given = { id, customerId, name, description, deploymentType, templateName, resourceLimits, createdAt };
    const created = Service.create(given);
    expect(created.state).toMatchObject({ status: 'pending', settledStatus: null, currentDeploymentId: null });
    created.begin('create');
    expect(created.state.status).toBe('deploying');
    created.adopt({ id: NEW, specVersion: 1, resourceLimits }, GROUP, at(1));
    created.finishDeployment();
    expect(created.state).toMatchObject({
      ...GROUP,
      status: 'running',
      settledStatus: 'running',
      currentDeploymentId: NEW,
      startedAt: at(1),
    });
  });

  it('takes a new version over when it serves, or at once when none has served', () => {
    const limits = { cpuCores: 2, memoryMb: 64, diskMb: 64 };
    const [serving, unproven] = [service(), service({ currentDeploymentId: null })];
    serving.propose(2, limits);
    unproven.propose(2, limits);
    expect(serving.state).toMatchObject({ specVersion: 1, resourceLimits: aService().resourceLimits });
    expect(unproven.state).toMatchObject({ specVersion: 2, resourceLimits: limits });
    serving.adopt({ id: NEW, specVersion: 2, resourceLimits: limits }, GROUP, at(1));
    expect(serving.state).toMatchObject({ specVersion: 2, resourceLimits: limits });
  });

  it('shows a suspension at once, and other actions when the operation before is over', () => {
    const [suspended, restarted] = [service(), service()];
    suspended.accept('suspend', { free: false, superseded: 'stop' });
    restarted.accept('restart', { free: false, superseded: null });
    expect(suspended.state).toMatchObject({ suspended: true, status: 'stopping', desiredState: 'stopped' });
    expect(restarted.state.status).toBe('running');
  });

  it('rests as suspended, stopped or running, as is wanted of it', () => {
    const settled = (given: Partial<ServiceState>) => {
      const settling = service({ status: 'starting', ...given });
      settling.settle({ unlock: false, reason: REASON });
      return settling.state.status;
    };
    expect(settled({ suspended: true })).toBe('suspended');
    expect(settled({ desiredState: 'stopped' })).toBe('stopped');
    expect(settled({})).toBe('running');
  });

  it('is unlocked by a reconciliation alone', () => {
    const locked = service({ locked: true });
    locked.settle({ unlock: false, reason: REASON });
    expect(locked.state.locked).toBe(true);
    locked.settle({ unlock: true, reason: REASON });
    expect(locked.state.locked).toBe(false);
  });

  it('is what it was when an operation failed before it touched anything', () => {
    const stopped = service({ status: 'deploying', settledStatus: 'stopped' });
    stopped.operationFailed({ untouched: true, lock: false, reason: REASON });
    expect(stopped.state).toMatchObject({ status: 'stopped', desiredState: 'stopped' });
    const first = service({ status: 'deploying', settledStatus: null });
    first.operationFailed({ untouched: true, lock: false, reason: REASON });
    expect(first.state.status).toBe('error');
  });

  it('is an error, since when nobody knows, when its containers were touched', () => {
    const failed = service({ status: 'starting' });
    failed.operationFailed({ untouched: false, lock: true, reason: REASON });
    expect(failed.state).toMatchObject({ status: 'error', settledStatus: 'error', startedAt: null, locked: true });
    expect(failed.state.statusReason).toEqual(REASON);
    failed.settle({ unlock: true });
    expect(failed.state.statusReason).toBeNull();
  });

  it('that was reverted runs since it was started again, if it had been stopped', () => {
    const [restarted, kept, stopped] = [service(), service(), service()];
    restarted.reverted('running', at(9));
    kept.reverted('running', null);
    stopped.reverted('stopped', at(9));
    expect(restarted.state).toMatchObject({ status: 'running', startedAt: at(9) });
    expect(kept.state.startedAt).toEqual(aService().startedAt);
    expect(stopped.state).toMatchObject({ status: 'stopped', startedAt: aService().startedAt });
  });

  it('is locked when its containers cannot be brought back, unless there were none', () => {
    const [had, hadNone] = [service(), service()];
    had.couldNotBeReverted({ hadContainers: true, reason: REASON });
    hadNone.couldNotBeReverted({ hadContainers: false, reason: REASON });
    expect([had.state.locked, hadNone.state.locked]).toEqual([true, false]);
    expect(hadNone.hasFailed).toBe(true);
  });

  it('fails with the fifth ending within ten minutes', () => {
    const ending = service();
    for (const minute of [0, 2, 4, 6]) ending.noteEnding(at(minute));
    expect(ending.hasFailed).toBe(false);
    ending.noteEnding(at(9));
    expect(ending.hasFailed).toBe(true);
    expect(ending.state.statusReason).toMatchObject({ code: 'restarts_exhausted', at: at(9) });
  });
});
