import * as fc from 'fast-check';
import { fromPointer, toPointer } from './json-pointer.js';

describe('a JSON pointer', () => {
  it.each([
    ['', []],
    ['/', ['']],
    ['/a/0', ['a', 0]],
    ['/a~1b/m~0n/~01/x.y', ['a/b', 'm~n', '~1', 'x.y']],
  ])('is written as in RFC 6901: "%s"', (pointer, keys) => {
    expect(toPointer(keys)).toBe(pointer);
  });

  it('can be read back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', '.', 'a') })), (keys) => {
        expect(fromPointer(toPointer(keys))).toEqual(keys);
      }),
    );
  });
});
