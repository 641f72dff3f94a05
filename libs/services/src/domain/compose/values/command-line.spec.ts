import { splitCommandLine } from './command-line.js';

describe('a command line', () => {
  it.each([
    ['', []],
    ['  a   b\t c ', ['a', 'b', 'c']],
    [`sh -c 'a "b" c'`, ['sh', '-c', 'a "b" c']],
    ['a "b \\"c\\" d"', ['a', 'b "c" d']],
    ["a 'b\\n'", ['a', 'b\\n']],
    ['a b\\ c', ['a', 'b c']],
    ['a\\tb', ['a\tb']],
    [`--x="a b"'c'd`, ['--x=a bcd']],
    [`"" ''`, ['', '']],
    ['a "b;c|d"', ['a', 'b;c|d']],
    ['echo $HOME', ['echo', '$HOME']],
    ['a\r\nb', ['a', 'b']],
    ['a\u00a0b c\u2028d', ['a\u00a0b', 'c\u2028d']],
  ])('is split as Compose splits it: %s', (line, words) => {
    expect(splitCommandLine(line)).toEqual({ words });
  });

  it.each(['a "b', "a 'b", 'a \\', 'a | b', 'a && b', 'a; b', 'a > b', 'a `b`', 'a $(b)'])(
    'is not cut short in silence: %s',
    (line) => {
      expect(splitCommandLine(line)).toHaveProperty('problem');
    },
  );
});
