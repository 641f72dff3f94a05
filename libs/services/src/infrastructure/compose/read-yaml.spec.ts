import { readYaml } from './read-yaml.js';

const root = (text: string) => {
  const reading = readYaml(text);
  expect(reading.defects).toEqual([]);
  return reading.root;
};
const messages = (text: string): string[] => readYaml(text).defects.map(({ path, message }) => `${path} ${message}`);

describe('YAML', () => {
  it('keeps values that YAML 1.1 would convert', () => {
    expect(
      root('a: no\nb: on\nc: 22:22\nd: 0440\ne: 1.10\nf: 1e3\ng: 0x1F\nh: 12345678901234567890\ni: 2024-01-02\nj: ~'),
    ).toEqual({
      a: 'no',
      b: 'on',
      c: '22:22',
      d: '0440',
      e: '1.10',
      f: '1e3',
      g: '0x1F',
      h: '12345678901234567890',
      i: '2024-01-02',
      j: null,
    });
    expect(root('a: 10\nb: 1.5\nc: true\nd: "5"')).toEqual({ a: 10, b: 1.5, c: true, d: '5' });
  });

  it('merges mappings: own keys take precedence, then the first source', () => {
    expect(root('a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 0}\nd: {x: 5, <<: *a}')).toMatchObject({
      c: { x: 0, y: 1, z: 2 },
      d: { x: 5, y: 1 },
    });
    expect(root('"<<": 1')).toEqual({ '<<': 1 });
  });

  it('uses the last anchor before an alias, even within a copy', () => {
    expect(root('a: &v 1\nb: &outer [*v]\nc: &v 2\nd: *outer\ne: *v')).toEqual({ a: 1, b: [1], c: 2, d: [1], e: 2 });
  });

  it('copies the target of an alias, so that no two places share a value', () => {
    const values = root('a: &a {x: 1}\nb: *a') as Record<string, object>;
    expect(values.b).toEqual(values.a);
    expect(values.b).not.toBe(values.a);
  });

  it('names the place of a refused value', () => {
    expect(messages('a: {b: [0, !x 1]}\nc: !y {d: 1}')).toEqual([
      '/a/b/1 Tags are not accepted.',
      '/c Tags are not accepted.',
    ]);
    expect(messages('a:\n  b: 1\n  b: 2')).toEqual(['/a/b The key appears twice.']);
    expect(messages('a: {1: b}')).toEqual(['/a Every key must be a string.']);
    expect(messages('a: "\\0"')).toEqual(['/a The text must not contain a NUL character.']);
    expect(messages('a:\n\t- b')).toEqual([expect.stringMatching(/^ Line 2, column \d+: /)]);
  });

  it.each([
    ['lists', '['.repeat(100_000)],
    ['maps', '{a: '.repeat(20_000)],
    ['lists by dashes', '- '.repeat(5_000)],
    ['keys', '? '.repeat(5_000)],
    ['maps by indentation', Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('gives up on what is nested far too deep before it could use up the stack: %s', (_, text) => {
    expect(messages(text)).toEqual([expect.stringMatching(/^ Line \d+, column \d+: nested too deep\.$/)]);
  });

  it('quotes nothing of the file', () => {
    expect(messages('a: "canary\nb: [canary').join()).not.toContain('canary');
    expect(messages('a: canary: canary').join()).not.toContain('canary');
  });

  it('allows a hundred aliases and fifty levels, and no more', () => {
    const aliases = (count: number): string => `a: &a 1\nb: [${Array.from({ length: count }, () => '*a').join(', ')}]`;
    expect(messages(aliases(100))).toEqual([]);
    expect(messages(aliases(101))).toEqual([expect.stringContaining('more than 100 aliases')]);
    const levels = (count: number): string => `a: ${'['.repeat(count - 1)}${']'.repeat(count - 1)}`;
    expect(messages(levels(50))).toEqual([]);
    expect(messages(levels(52))).toEqual([expect.stringContaining('nested more than 50 deep')]);
  });
});
