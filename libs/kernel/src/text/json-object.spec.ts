import { isJsonObject } from './json-object.js';

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['x', false],
  [undefined, false],
])('%j is an object of JSON: %s', (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});
