import { characterCount, textDefect } from './plain-text.js';

describe('textDefect', () => {
  it.each(['', 'Müller & Söhne', 'line\nbreak\ttab', '日本 🗾', 'a\u0301'])('finds nothing wrong with %j', (text) => {
    expect(textDefect(text)).toBeNull();
  });

  it('finds NUL characters and lone surrogates', () => {
    expect(textDefect('a\0b')).toBe('must not contain a NUL character');
    expect(textDefect('\ud83d')).toBe('must be well-formed Unicode');
    expect(textDefect('\ude00x')).toBe('must be well-formed Unicode');
  });
});

describe('characterCount', () => {
  it.each([
    ['', 0],
    ['Müller', 6],
    ['🗾🗾', 2],
    ['a\u0301', 2],
    ['\ufe0f'.repeat(5), 5],
  ])('counts the code points of %j', (text, count) => {
    expect(characterCount(text)).toBe(count);
  });
});
