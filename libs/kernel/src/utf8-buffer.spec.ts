import { Utf8Buffer } from './utf8-buffer.js';

describe('a buffer of UTF-8', () => {
  it('gives what was written, once', () => {
    const buffer = new Utf8Buffer(100);
    expect([buffer.write('Zürich '), buffer.write('€ 😀')]).toEqual([true, true]);
    expect(buffer.take().toString()).toBe('Zürich € 😀');
    expect(buffer.take()).toHaveLength(0);
    buffer.write('again');
    expect(buffer.take().toString()).toBe('again');
  });

  it('takes nothing of a text that might not fit', () => {
    const buffer = new Utf8Buffer(9);
    expect(buffer.write('€€€')).toBe(true);
    expect(buffer.take().toString()).toBe('€€€');
    buffer.write('a');
    expect(buffer.write('bcd')).toBe(false);
    expect(buffer.take().toString()).toBe('a');
  });
});
