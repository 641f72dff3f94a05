import { versionChange, versionNumbers, versionRefusal } from './version.js';

describe('the version of an image', () => {
  it.each([
    ['16.14-1.pgdg12+1', [16, 14]],
    ['1:11.8.9+maria~ubu2404', [11, 8, 9]],
    ['v1.15.1', [1, 15, 1]],
    ['7.0.15', [7, 0, 15]],
    ['none', []],
  ])('%s', (text, numbers) => {
    expect(versionNumbers(text)).toEqual(numbers);
  });

  it.each([
    ['16.13', '16.14', 1, 'same-series'],
    ['16.14', '16.13', 1, 'same-series'],
    ['16.14', '17.1', 1, 'major-upgrade'],
    ['16.14', '15.9', 1, 'downgrade'],
    ['11.8.9', '12.0.1', 2, 'major-upgrade'],
    ['11.8.9', '11.4.2', 2, 'downgrade'],
    ['7.0.15', '7.4.1', 2, 'major-upgrade'],
  ] as const)('%s to %s', (from, to, parts, change) => {
    expect(versionChange(from, to, parts)).toBe(change);
  });

  it('names the alternative', () => {
    expect(versionRefusal('16.14', '17.1', 1)).toMatchObject({ slug: 'major_upgrade_unsupported' });
    expect(versionRefusal('16.14', '15.1', 1)?.message).toContain('restore a backup');
    expect(versionRefusal('16.14', '16.15', 1)).toBeNull();
  });
});
