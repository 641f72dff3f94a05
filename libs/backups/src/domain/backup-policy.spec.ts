import { reasonToSkipProof } from './backup-policy.js';

describe('the rule that decides which backups are verified', () => {
  const now = new Date('2026-05-08T03:00:00Z');
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

  it.each([
    ['always', daysAgo(0), false],
    ['never', null, true],
    ['weekly', null, false],
    ['weekly', daysAgo(6), true],
    ['weekly', daysAgo(7), false],
    ['weekly', daysAgo(-40), false],
  ] as const)('by the rule %s, when the last proof is from %s', (rule, lastProofAt, isSkipped) => {
    expect(reasonToSkipProof(rule, lastProofAt, now) !== null).toBe(isSkipped);
  });
});
