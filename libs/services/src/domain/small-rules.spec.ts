import { Invalid, NotFound } from '#kernel/errors';
import { pullPolicyOf } from './deploying/deployment.js';
import { DEPLOYMENT_TRIGGERS } from './deploying/deployment-state.js';
import { DeployFailure, errorMessage, FAILURE_CODES, failureCodeOf, isPassing } from './deploying/deploy-failure.js';
import { DEPLOY_STEPS, isBeforeCommit, remainingSteps } from './deploying/deploy-plan.js';
import { endsTooOften, withEnding } from './deploying/endings.js';
import { pinnedImage } from './deploying/group-topology.js';
import { OrganisationScope } from './organisation-scope.js';
import { DEFAULT_LIMITS, resourceLimits } from './resource-limits.js';
import { aMember, NEW, OLD } from '../testing/a-group.js';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 8, minute));

describe('the plan of a deployment', () => {
  it('goes on behind the marks that are never passed twice', () => {
    const left = (strategy: 'start-first' | 'stop-first' | null, committed: boolean, proven: boolean) =>
      remainingSteps({ strategy, committed, proven });
    expect(left(null, false, false)).toEqual(DEPLOY_STEPS);
    expect(left('stop-first', true, false)).toEqual(['create', 'retire', 'start', 'health_gate', 'route', 'finish']);
    expect(left('stop-first', true, true)).toEqual(['route', 'finish']);
  });

  it('stops old containers only behind the route to the new ones when both can run at once', () => {
    const left = (proven: boolean) => remainingSteps({ strategy: 'start-first', committed: true, proven });
    expect(left(false)).toEqual(['create', 'start', 'health_gate', 'route', 'retire', 'finish']);
    expect(left(true)).toEqual(['route', 'retire', 'finish']);
  });

  it('touches nothing up to its commit point', () => {
    const before = ['validate', 'quota', 'clone', 'build', 'pull', 'label_check', 'commit'];
    expect(DEPLOY_STEPS.filter(isBeforeCommit)).toEqual(before);
  });

  it('asks the registry for every redeployment, and only then whatever it has', () => {
    expect(DEPLOYMENT_TRIGGERS.filter((trigger) => pullPolicyOf(trigger) === 'always')).toEqual(['redeploy']);
  });
});

describe('a failure', () => {
  it('reads as its code, a colon and a text, on one line and of bounded length', () => {
    expect(new DeployFailure('timeout', 'It took\n too long.').errorMessage).toBe('timeout: It took too long.');
    expect(errorMessage('build_failed', 'x'.repeat(2_000))).toHaveLength('build_failed: '.length + 501);
  });

  it.each(FAILURE_CODES)('%s is read back from its text', (code) => {
    expect(failureCodeOf(errorMessage(code, 'text'))).toBe(code);
  });

  it('is made of whatever the domain says, and of nothing else', () => {
    expect(DeployFailure.of(new Invalid('compose_forbidden', 'no'))?.errorMessage).toBe('validation_failed: no');
    expect(DeployFailure.of(new NotFound())?.code).toBe('interrupted');
    expect(DeployFailure.of(new TypeError('x is undefined'))).toBeNull();
    expect(failureCodeOf('nonsense')).toBeNull();
  });

  it('is worth another try when only the engine or a worker was away', () => {
    expect(FAILURE_CODES.filter(isPassing)).toEqual(['interrupted', 'docker_unavailable']);
  });
});

describe('a service', () => {
  it('ends too often with the fifth ending within ten minutes', () => {
    const four = [0, 2, 4, 6].reduce<readonly Date[]>((endings, minute) => withEnding(endings, at(minute)), []);
    expect(endsTooOften(four, at(6))).toBe(false);
    expect(endsTooOften(withEnding(four, at(9)), at(9))).toBe(true);
    expect(endsTooOften(withEnding(four, at(10)), at(10))).toBe(false);
  });

  it('has the limits that were asked for, and defaults for the others', () => {
    expect(resourceLimits({})).toEqual(DEFAULT_LIMITS);
    expect(resourceLimits({ cpuCores: 0.5 })).toEqual({ ...DEFAULT_LIMITS, cpuCores: 0.5 });
    for (const wrong of [
      { cpuCores: 0 },
      { cpuCores: Number.NaN },
      { memoryMb: 15 },
      { memoryMb: 64.5 },
      { diskMb: 0 },
    ])
      expect(() => resourceLimits(wrong)).toThrow(Invalid);
  });

  it('is seen inside its scope alone; one without an organisation only by those who see all', () => {
    expect(OrganisationScope.all.includes(null)).toBe(true);
    expect(OrganisationScope.of([OLD]).includes(OLD)).toBe(true);
    expect(OrganisationScope.of([OLD]).includes(NEW)).toBe(false);
    expect(OrganisationScope.of([OLD]).includes(null)).toBe(false);
  });

  it('goes back to the image it ran, wherever the tag points now', () => {
    expect(pinnedImage(aMember('web')).ref).toBe('x/web@sha256:d');
    expect(pinnedImage(aMember('web', { digest: null })).ref).toBe('x/web:1');
  });
});
