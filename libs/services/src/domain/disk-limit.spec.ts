import { diskUse, judgeDisk } from './disk-limit.js';

const MB = 1024 * 1024;

describe('the disk of a service', () => {
  it.each([
    [0, 'within'],
    [100 * MB, 'within'],
    [100 * MB + 1, 'above'],
    [110 * MB, 'above'],
    [111 * MB, 'far above'],
  ])('with %i bytes of 100 MB is %s its limit', (bytes, verdict) => {
    expect(judgeDisk(bytes, 100)).toBe(verdict);
  });

  it('is told in whole megabytes, never less than are used', () => {
    expect(diskUse(110 * MB + 1, 100)).toBe('The service uses 111 MB of 100 MB of disk');
  });
});
