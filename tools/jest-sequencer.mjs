import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { isAlone, SUITE } from './lib/together.mjs';

const isSuite = ({ path: file }) => path.basename(file) === SUITE;

/**
 * What takes long starts first, so that the last minute of a run does not wait for one file; and what waits for an
 * engine or for processes in turn with what computes. Jest itself goes by what it remembers and, in a fresh checkout,
 * by size.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)];
    const alone = sorted.filter((test) => isAlone(test.path));
    const suites = sorted.filter(isSuite);
    const inTurn = alone.flatMap((test, i) => [test, ...suites.slice(i, i + 1)]);
    const rest = sorted.filter((test) => !inTurn.includes(test));
    return [...inTurn, ...rest];
  }
}
