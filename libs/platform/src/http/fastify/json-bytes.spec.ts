import { jsonArrayBytes } from './json-bytes.js';

describe('jsonArrayBytes', () => {
  it.each([
    ['none', []],
    ['one', [JSON.stringify({ one: 1 })]],
    ['not only ASCII', [JSON.stringify({ keyMasked: '…9F3K2A', name: 'Zoë 🐘' }), '2', '"3"']],
    ['an item longer than the buffer', ['1', JSON.stringify('…'.repeat(400_000)), '3']],
    ['together longer than the buffer', Array.from({ length: 20 }, () => JSON.stringify('x'.repeat(20_000)))],
  ])('returns the UTF-8 of the array: %s', (_, items) => {
    expect(jsonArrayBytes(items).equals(Buffer.from(`[${items.join(',')}]`))).toBe(true);
    expect(jsonArrayBytes(['1']).toString()).toBe('[1]');
  });

  it('returns bytes that the next call does not overwrite', () => {
    const first = jsonArrayBytes(['{"one":1}']);
    jsonArrayBytes(['{"two":2}']);
    expect(first.toString()).toBe('[{"one":1}]');
  });
});
