import type { Uuid } from '#kernel/crypto/uuid';
import type { VerificationStatus } from '../backup-state.js';
import { copyExpiries } from './copy-retention.js';

const day = (number: number) => new Date(number * 86_400_000);
const copy = (id: string, ended: number, proof: VerificationStatus | null = 'verified') => ({
  id: id as Uuid,
  firstSegment: id,
  endedAt: day(ended),
  proof,
});
const expiries = (copies: readonly ReturnType<typeof copy>[], isArchived = true) =>
  Object.fromEntries(copyExpiries(copies, isArchived));

describe('A copy of all data is kept', () => {
  it('until the next one leads into the whole window, and the newest for ever', () => {
    expect(expiries([copy('a', 1), copy('b', 2), copy('c', 5)])).toEqual({ a: day(9), b: day(12), c: null });
  });

  it('for a week where the log is no longer archived', () => {
    expect(expiries([copy('a', 1), copy('b', 2)], false)).toEqual({ a: day(8), b: day(9) });
  });

  it('only until the next one where its trial failed, and serves in the place of no other', () => {
    expect(expiries([copy('a', 1), copy('b', 2, 'failed'), copy('c', 3, 'failed')])).toEqual({
      a: null,
      b: day(3),
      c: day(10),
    });
  });
});
