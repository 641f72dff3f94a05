import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isLeftOut, THOROUGH } from '../../tools/lib/tests/thorough.mjs';
import { ALONE, allTogether, SUITE } from '../../tools/lib/tests/together.mjs';

const TEST = path.resolve(__dirname, '..');
const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' });

describe('the whole run', () => {
  it('leaves none of the files that are named to run alone out of its order', () => {
    const names = new Set(files.map((file) => path.basename(file)));
    expect([...ALONE, ...THOROUGH].filter((name) => !names.has(name))).toEqual([]);
  });

  it('leaves out what takes long, unless it is asked to be thorough', () => {
    const before = process.env.TEST_THOROUGH;
    const of = (asked: string) => {
      process.env.TEST_THOROUGH = asked;
      return [...THOROUGH].filter(isLeftOut).length;
    };
    try {
      expect([of(''), of('1')]).toEqual([THOROUGH.size, 0]);
    } finally {
      process.env.TEST_THOROUGH = before ?? '';
    }
  });

  it('runs together only what a suite beside it describes', () => {
    const suites = new Set(files.filter((file) => path.basename(file) === SUITE).map((file) => path.dirname(file)));
    const together = allTogether(TEST).map((file) => path.relative(TEST, file));
    expect(together.length).toBeGreaterThan(50);
    expect(together.filter((file) => !suites.has(path.dirname(file)))).toEqual([]);
    expect(together.filter((file) => ALONE.has(path.basename(file)))).toEqual([]);
    expect(new Set(together).size).toBe(together.length);
  });
});
