import { SystemRandomness } from './randomness.js';
import { parseUuid } from './uuid.js';

const randomness = new SystemRandomness();

describe('SystemRandomness', () => {
  it('gives canonical UUIDs, no two alike', () => {
    const ids = Array.from({ length: 1000 }, () => randomness.uuid());
    expect(ids.every((id) => parseUuid(id) === id)).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });

  it('gives texts of the alphabet alone and uses all of it', () => {
    const text = randomness.text(2000, 'abc');
    expect(text).toMatch(/^[abc]{2000}$/);
    expect(new Set(text)).toEqual(new Set('abc'));
  });

  it('gives as many bytes as asked', () => {
    expect(randomness.bytes(32)).toHaveLength(32);
    expect(randomness.bytes(32).equals(randomness.bytes(32))).toBe(false);
  });
});
