import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { isAlone, isLast, isLongest, SUITE } from './lib/tests/together.mjs';

const isSuite = ({ path: file }) => path.basename(file) === SUITE;

/**
 * Starts slow files first, so that the end of a run does not wait for one file, and alternates files that wait for an
 * engine or for processes with those that compute. Jest itself sorts by its cache or, in a fresh checkout, by file
 * size.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const all = super.sort(tests);
    const last = all.filter((test) => isLast(test.path));
    const sorted = all.filter((test) => !last.includes(test));
    const alone = sorted.filter((test) => isAlone(test.path));
    const longest = sorted.filter((test) => isLongest(test.path));
    const suites = sorted.filter((test) => isSuite(test) && !longest.includes(test));
    const inTurn = [...longest, ...alone.flatMap((test, i) => [test, ...suites.slice(i, i + 1)])];
    const rest = sorted.filter((test) => !inTurn.includes(test));
    return [...inTurn, ...rest, ...last];
  }
}
