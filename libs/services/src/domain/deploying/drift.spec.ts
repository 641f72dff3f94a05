import { driftOf, type StandingGroup } from './drift.js';
import { aMember, aService, aTopology, NEW, OLD, SERVICE_ID, standing } from '../../testing/a-group.js';

const group = (...containers: StandingGroup['containers']): StandingGroup => ({
  containers,
  resources: new Set([`${SERVICE_ID}_default`]),
});

describe('the drift of a service', () => {
  const topology = aTopology('db', 'web');

  it('is nothing while all stands', () => {
    const drift = driftOf(aService(), topology, group(standing(OLD, 'db'), standing(OLD, 'web')));
    expect(drift).toEqual({ findings: [], down: [] });
  });

  it('names what is gone, what is down and what is left over', () => {
    const drift = driftOf(aService(), topology, {
      containers: [standing(OLD, 'web', { isUp: false }), standing(NEW, 'web', { name: 'x' })],
      resources: new Set(),
    });
    expect(drift.findings).toEqual([
      'container db is gone',
      `${SERVICE_ID}_default is gone`,
      'a container web is left over',
      'container web does not run',
    ]);
    expect(drift.down).toEqual(['web']);
  });

  it('does not miss what has done its work, nor the network of what is stopped', () => {
    const withJob = aTopology(aMember('job', { oneShot: true }), 'web');
    const ended = group(standing(OLD, 'job', { isUp: false }), standing(OLD, 'web'));
    expect(driftOf(aService(), withJob, ended).findings).toEqual([]);
    const stopped = aService({ desiredState: 'stopped', status: 'stopped' });
    expect(driftOf(stopped, topology, { containers: [], resources: new Set() }).findings).toEqual([]);
  });

  it('finds a container of a suspended service that runs', () => {
    const drift = driftOf(aService({ suspended: true, status: 'suspended' }), topology, group(standing(OLD, 'web')));
    expect(drift.findings).toEqual(['container web runs']);
  });

  it('finds whatever stands for a service that never ran', () => {
    const service = aService({ currentDeploymentId: null, status: 'error' });
    expect(driftOf(service, null, group(standing(NEW, 'web'))).findings).toEqual(['a container web is left over']);
  });
});
