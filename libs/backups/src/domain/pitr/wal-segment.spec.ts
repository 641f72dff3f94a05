import fc from 'fast-check';
import { missingSegment } from './recovery-window.js';
import { isSegment, segmentAfter } from './wal-segment.js';

describe('names of WAL segments', () => {
  it.each([
    ['000000010000000000000001', '000000010000000000000002'],
    ['00000001000000000000000F', '000000010000000000000010'],
    ['0000000100000000000000FF', '000000010000000100000000'],
    ['0000000200000009000000FF', '000000020000000A00000000'],
  ])('after %s comes %s', (name, next) => expect(segmentAfter(name)).toBe(next));

  it.each(['00000002.history', '000000010000000000000003.00000028.backup', '000000010000000000000001.tmp', ''])(
    '%j is none',
    (name) => {
      expect(isSegment(name)).toBe(false);
      expect(() => segmentAfter(name)).toThrow(RangeError);
    },
  );

  it('are complete exactly when none was taken out of the middle', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(30),
        (start, count, out) => {
          let name = '000000010000000000000000';
          for (let i = 0; i < start; i++) name = segmentAfter(name);
          const names: string[] = [];
          for (let i = 0; i < count; i++, name = segmentAfter(name)) names.push(name);
          const kept = names.filter((_, i) => i !== out).map((each) => ({ name: each, next: segmentAfter(each) }));
          const isInside = out < count - 1;
          expect(missingSegment(names[0]!, kept)).toBe(isInside ? names[out] : null);
        },
      ),
    );
  });
});
