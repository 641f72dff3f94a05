import { versionRefusal } from './version-refusal.js';

describe('a snapshot of Qdrant', () => {
  it.each([
    ['1.15.1', '1.15.1'],
    ['1.15.5', '1.15.1'],
    ['1.15.1', '1.16.3'],
    ['1.15.1', 'unknown'],
  ])('of %s is restored into %s', (from, to) => expect(versionRefusal(from, to)).toBeNull());

  it.each([
    ['1.15.1', '1.14.0'],
    ['1.15.1', '1.17.0'],
    ['1.15.1', '2.15.1'],
  ])('of %s is not restored into %s', (from, to) => {
    expect(versionRefusal(from, to)).toBe(
      `A snapshot of Qdrant 1.15.1 can be restored into 1.15 and 1.16 only; the server is ${to}.`,
    );
  });
});
