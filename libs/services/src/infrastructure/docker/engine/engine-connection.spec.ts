import { EngineUnavailable } from '../../../application/ports/engine/container-runtime-errors.js';
import { commonApi } from './engine-connection.js';

describe('the API version', () => {
  it.each([
    ['an engine of the oldest kind', '1.41', '1.12', '1.41'],
    ['an engine in between', '1.47', '1.24', '1.47'],
    ['an engine newer than the panel', '1.99', '1.44', '1.51'],
  ])('is the newest that both speak: %s', (_, newest, oldest, expected) => {
    expect(commonApi(newest, oldest)).toBe(expected);
  });

  it.each([
    ['too old', '1.40', '1.12'],
    ['too new', '2.0', '1.60'],
    ['no engine at all', 'undefined', '1.0'],
  ])('is not found with an engine that is %s', (_, newest, oldest) => {
    expect(() => commonApi(newest, oldest)).toThrow(EngineUnavailable);
  });
});
