import type { Uuid } from '#kernel/crypto/uuid';
import { PlanExpired, PlanOutdated, PlanUsed } from './automation-errors.js';
import { applied, newChangePlan, PLAN_LIFETIME_MS } from './change-plan.js';

const NOW = new Date('2026-05-01T08:00:00.000Z');
const ID = '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' as Uuid;
const later = (ms: number) => new Date(NOW.getTime() + ms);
const plan = newChangePlan({ id: ID, apiKeyId: ID, kind: 'compose', basis: 'v1' }, NOW);

describe('a change plan', () => {
  it('is applied within ten minutes while its basis holds', () => {
    expect(applied(plan, 'v1', later(PLAN_LIFETIME_MS - 1)).appliedAt).toEqual(later(PLAN_LIFETIME_MS - 1));
  });

  it('has expired after ten minutes to the millisecond', () => {
    expect(() => applied(plan, 'v1', later(PLAN_LIFETIME_MS))).toThrow(PlanExpired);
  });

  it('is outdated if its basis has changed', () => {
    expect(() => applied(plan, 'v2', NOW)).toThrow(PlanOutdated);
  });

  it('is applied once', () => {
    expect(() => applied(applied(plan, 'v1', NOW), 'v1', NOW)).toThrow(PlanUsed);
  });
});
