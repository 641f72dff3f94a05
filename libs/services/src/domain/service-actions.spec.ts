import { ACTION_RULES, decide, SERVICE_ACTIONS, STATUS_WHILE, type ServiceAction } from './service-actions.js';
import { SERVICE_STATUSES, type ServiceStatus } from './service-state.js';

/** The columns of section 5 once more, as letters: one row an action, one letter a status. */
const TABLE = `
            pending deploying running starting stopping stopped restarting suspended removing error
  start     busy    busy      nothing join     busy     accept  busy       suspended invalid  accept
  stop      busy    busy      accept  accept   join     invalid accept     suspended invalid  accept
  restart   busy    busy      accept  busy     busy     accept  join       suspended invalid  accept
  redeploy  busy    accept    accept  accept   busy     accept  accept     suspended invalid  accept
  update    busy    accept    accept  accept   busy     accept  accept     suspended invalid  accept
  rollback  busy    busy      accept  busy     busy     accept  busy       suspended invalid  accept
  suspend   accept  accept    accept  accept   accept   accept  accept     nothing   invalid  accept
  unsuspend nothing nothing   nothing nothing  nothing  nothing nothing    accept    nothing  nothing
  reconcile busy    busy      accept  busy     busy     accept  busy       accept    invalid  accept
  remove    accept  accept    accept  accept   accept   accept  accept     accept    nothing  accept
`;

function cells(): [ServiceAction, ServiceStatus, string][] {
  const [head = [], ...rows] = TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([action, ...rules]) =>
    rules.map((rule, column): [ServiceAction, ServiceStatus, string] => [
      action as ServiceAction,
      head[column] as ServiceStatus,
      rule,
    ]),
  );
}

describe('the actions on a service', () => {
  it('are settled for every status', () => {
    expect(cells()).toHaveLength(SERVICE_ACTIONS.length * SERVICE_STATUSES.length);
  });

  it.each(cells())('%s of one that is %s: %s', (action, status, rule) => {
    expect(ACTION_RULES[action][status]).toBe(rule);
  });

  it('refuse a locked service what would touch its containers, but not to stop, reconcile or delete it', () => {
    const refusedOf = (service: { status: ServiceStatus; suspended: boolean }) =>
      SERVICE_ACTIONS.filter((action) => {
        const decision = decide(action, { ...service, locked: true });
        return decision.kind === 'refuse' && decision.code === 'service_locked';
      });
    expect(refusedOf({ status: 'error', suspended: false })).toEqual([
      'start',
      'restart',
      'update',
      'redeploy',
      'rollback',
    ]);
    expect(refusedOf({ status: 'stopped', suspended: false })).toEqual([
      'start',
      'restart',
      'update',
      'redeploy',
      'rollback',
    ]);
    expect(refusedOf({ status: 'suspended', suspended: true })).toEqual(['unsuspend']);
    for (const action of ['stop', 'suspend', 'reconcile', 'remove'] as const) {
      expect(decide(action, { status: 'error', suspended: false, locked: true })).toEqual({ kind: 'accept' });
    }
  });

  it('count a suspension from the moment it is asked for', () => {
    const stopping = { status: 'stopping', suspended: true, locked: false } as const;
    expect(decide('start', stopping)).toEqual({ kind: 'refuse', code: 'service_suspended' });
    expect(decide('suspend', stopping)).toEqual({ kind: 'nothing' });
    expect(decide('unsuspend', stopping)).toEqual({ kind: 'accept' });
    expect(decide('remove', stopping)).toEqual({ kind: 'accept' });
  });

  it('leave a removal alone, suspended or not', () => {
    for (const suspended of [true, false]) {
      expect(decide('unsuspend', { status: 'removing', suspended, locked: false })).toEqual({ kind: 'nothing' });
    }
  });

  it('name the status of the contract while they are under way', () => {
    expect(STATUS_WHILE).toEqual({
      start: 'starting',
      stop: 'stopping',
      restart: 'restarting',
      update: 'deploying',
      redeploy: 'deploying',
      rollback: 'deploying',
      suspend: 'stopping',
      unsuspend: 'starting',
      reconcile: null,
      remove: 'removing',
    });
  });
});
