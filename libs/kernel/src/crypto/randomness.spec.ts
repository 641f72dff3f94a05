import { SystemRandomness } from './randomness.js';
import { parseUuid } from './uuid.js';

const randomness = new SystemRandomness();

describe('SystemRandomness', () => {
  it('returns canonical, unique UUIDs', () => {
    const ids = Array.from({ length: 1000 }, () => randomness.uuid());
    expect(ids.every((id) => parseUuid(id) === id)).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });

  it('returns UUIDs of version 7, which increase with time', async () => {
    const first = randomness.uuid();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = randomness.uuid();
    expect(second > first).toBe(true);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(parseInt(first.replaceAll('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(10_000);
  });

  it('returns texts of exactly the alphabet', () => {
    const text = randomness.text(2000, 'abc');
    expect(text).toMatch(/^[abc]{2000}$/);
    expect(new Set(text)).toEqual(new Set('abc'));
  });

  it('returns the requested number of bytes', () => {
    expect(randomness.bytes(32)).toHaveLength(32);
    expect(randomness.bytes(32).equals(randomness.bytes(32))).toBe(false);
  });
});
