import { Utf8Buffer, Utf8Chunks } from './utf8-buffer.js';

describe('Utf8Buffer', () => {
  it('returns what was written, once', () => {
    const buffer = new Utf8Buffer(100);
    expect([buffer.write('Zürich '), buffer.write('€ 😀')]).toEqual([true, true]);
    expect(buffer.take().toString()).toBe('Zürich € 😀');
    expect(buffer.take()).toHaveLength(0);
    buffer.write('again');
    expect(buffer.take().toString()).toBe('again');
  });

  it('writes nothing of a text that might not fit', () => {
    const buffer = new Utf8Buffer(9);
    expect(buffer.write('€€€')).toBe(true);
    expect(buffer.take().toString()).toBe('€€€');
    buffer.write('a');
    expect(buffer.write('bcd')).toBe(false);
    expect(buffer.take().toString()).toBe('a');
  });
});

describe('Utf8Chunks', () => {
  it('returns everything in order, including texts longer than a chunk', () => {
    const chunks = new Utf8Chunks();
    const texts = ['ä', 'x'.repeat(50_000), 'y'.repeat(200_000), '', '€'];
    for (const text of texts) chunks.add(text);
    expect(chunks.size).toBe(250_002);
    expect(Buffer.concat(chunks.take()).toString()).toBe(texts.join(''));
    expect([chunks.take(), chunks.size]).toEqual([[], 0]);
    chunks.add('again');
    expect(Buffer.concat(chunks.take()).toString()).toBe('again');
  });
});
