import { visibleText } from './visible-text.js';

describe('visible text', () => {
  it.each([
    ['colours and titles of a terminal', '\u001b[31mred\u001b[0m \u001b]0;title\u0007end', 'red end'],
    ['control characters', 'a\u0000b\rc\u0008d', 'abcd'],
    ['zero width characters', 'ig\u200bno\u2060re', 'ignore'],
    ['a change of direction', 'abc\u202edcba\u202c', 'abcdcba'],
    ['tags that spell a hidden text', `a${String.fromCodePoint(0xe0069, 0xe0067)}b`, 'ab'],
  ])('has no %s', (_what, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });

  it('keeps line feeds, tabs and every script', () => {
    expect(visibleText('a\n\tb é 漢字 😀')).toBe('a\n\tb é 漢字 😀');
  });
});
