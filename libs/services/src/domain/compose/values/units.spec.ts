import { parseByteSize, parseDurationMs, parseFileMode } from './units.js';

describe('a duration', () => {
  it.each([
    ['90s', 90_000],
    ['1m30s', 90_000],
    ['1h2m3s4ms', 3_723_004],
    ['1.5h', 5_400_000],
    ['500us', 1],
    ['0', 0],
    ['250ms', 250],
    ['99999999999999999999h', 99_999_999_999_999_999_999 * 3_600_000],
  ])('is read as Go writes it: %s', (text, milliseconds) => {
    expect(parseDurationMs(text)).toBe(milliseconds);
  });

  it.each(['', '90', 's', '1d', '-1s', '1 s', '1m-30s', 'm1'])('is not made of "%s"', (text) => {
    expect(parseDurationMs(text)).toBeNull();
  });
});

describe('a size', () => {
  it.each([
    ['512m', 536_870_912],
    ['1gb', 1_073_741_824],
    ['64MiB', 67_108_864],
    ['1.5k', 1536],
    ['100b', 100],
    [2048, 2048],
    ['0', 0],
  ])('counts in steps of 1024: %s', (text, bytes) => {
    expect(parseByteSize(text)).toBe(bytes);
  });

  it.each(['', 'm', '-1', '1x', '1mm', '1e3', '9999999999999999t'])('is not made of "%s"', (text) => {
    expect(parseByteSize(text)).toBeNull();
  });
});

it.each([
  ['0444', 0o444],
  ['1777', 0o1777],
  ['0o400', 0o400],
  ['0888', null],
  ['44', null],
])('a file mode is octal: %s', (text, mode) => {
  expect(parseFileMode(text)).toBe(mode);
});
