import { jsonBytes } from './json-bytes.js';

describe('the bytes of a JSON text', () => {
  it.each([
    ['short', '[]'],
    ['not ASCII alone', JSON.stringify({ keyMasked: '…9F3K2A', name: 'Zoë 🐘' })],
    ['longer than what is kept ready', JSON.stringify('…'.repeat(400_000))],
  ])('are its UTF-8: %s', (_, json) => {
    expect(jsonBytes(json).equals(Buffer.from(json))).toBe(true);
  });

  it('stay as they are when another text follows', () => {
    const first = jsonBytes('{"one":1}');
    jsonBytes('{"two":2}');
    expect(first.toString()).toBe('{"one":1}');
  });
});
