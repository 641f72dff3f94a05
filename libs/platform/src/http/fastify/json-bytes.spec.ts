import { jsonArrayBytes } from './json-bytes.js';

describe('the bytes of an array of JSON texts', () => {
  it.each([
    ['none', []],
    ['one', [JSON.stringify({ one: 1 })]],
    ['not ASCII alone', [JSON.stringify({ keyMasked: '…9F3K2A', name: 'Zoë 🐘' }), '2', '"3"']],
    ['longer than what is kept ready', ['1', JSON.stringify('…'.repeat(400_000)), '3']],
    ['longer all together', Array.from({ length: 20 }, () => JSON.stringify('x'.repeat(20_000)))],
  ])('are its UTF-8: %s', (_, items) => {
    expect(jsonArrayBytes(items).equals(Buffer.from(`[${items.join(',')}]`))).toBe(true);
    expect(jsonArrayBytes(['1']).toString()).toBe('[1]');
  });

  it('stay as they are when another text follows', () => {
    const first = jsonArrayBytes(['{"one":1}']);
    jsonArrayBytes(['{"two":2}']);
    expect(first.toString()).toBe('[{"one":1}]');
  });
});
