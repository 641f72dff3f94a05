import { versionRefusal } from './version-refusal.js';

describe('a dump of MongoDB', () => {
  it.each([
    ['7.0.28', '7.0.14'],
    ['7.0.14', '7.0.28'],
    ['7.0.28', '7'],
    ['7.0.28', 'unknown'],
  ])('of %s is restored into %s', (from, to) => expect(versionRefusal(from, to)).toBeNull());

  it.each([
    ['7.0.28', '8.0.1'],
    ['7.0.28', '6.0.5'],
    ['7.0.28', '7.3.0'],
  ])('of %s is not restored into %s', (from, to) => {
    expect(versionRefusal(from, to)).toBe(
      `A dump of MongoDB 7.0.28 can be restored into 7.0 only; the server is ${to}.`,
    );
  });
});
