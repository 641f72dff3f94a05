export const ORDINARY_FILE = 'services:\n  web:\n    image: nginx:1.27\n';
const web = (line: string): string => `${ORDINARY_FILE}    ${line}\n`;

function laughs(levels: number, width: number): string {
  const lines = ['x0: &x0 [lol, lol]'];
  for (let level = 1; level < levels; level += 1)
    lines.push(`x${level}: &x${level} [${Array.from({ length: width }, () => `*x${level - 1}`).join(', ')}]`);
  return `${lines.join('\n')}\n${ORDINARY_FILE}`;
}

const keys = (count: number): string =>
  Array.from({ length: count }, (_, index) => `k${index.toString(36)}:`).join('\n');

/** Files that would stop, fill or fool a reader that is not careful: each must be refused, and soon. */
export const HOSTILE_FILES: Readonly<Record<string, string | Uint8Array>> = {
  'billion laughs': laughs(10, 9),
  'laughs that double forty times': laughs(40, 2),
  'quadratic laughs: one long list many times': `x: &x [${'a,'.repeat(5000)}a]\ny: [${'*x,'.repeat(60)}*x]\n${ORDINARY_FILE}`,
  'more than a hundred aliases': `x: &x a\ny: [${'*x,'.repeat(100)}*x]\n${ORDINARY_FILE}`,
  'merges of empty maps, 80 KB in one list': `x:\n  <<: [${Array.from({ length: 27_000 }, () => '{}').join(',')}]\n${ORDINARY_FILE}`,
  'merges of empty maps, one key each': `x:\n${'  <<: {}\n'.repeat(9000)}${ORDINARY_FILE}`,
  'merges that double': `a0: &a0 {k: v}\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}], k${i}: v}`).join('\n')}\n${ORDINARY_FILE}`,
  'a merge of itself': 'services: &s\n  <<: *s\n',
  'a merge of a scalar': `x: {<<: a}\n${ORDINARY_FILE}`,
  'flow lists nested 100,000 deep': '['.repeat(100_000),
  'flow maps nested 20,000 deep': '{a: '.repeat(20_000),
  'closed flow lists nested 60 deep': `x: ${'['.repeat(60)}${']'.repeat(60)}\n${ORDINARY_FILE}`,
  'block maps nested 500 deep': Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
  'block lists nested 5,000 deep': '- '.repeat(5000),
  'an anchor that contains itself': 'services: &s {web: *s}\n',
  'an alias without an anchor': web('command: *nothing'),
  'a scalar of 300 KB': web(`command: ${'a'.repeat(300_000)}`),
  'a key of 200 KB': `? ${'a'.repeat(200_000)}\n: b\n${ORDINARY_FILE}`,
  'a key of 150 KB above 7,000 others': `services:\n  ? ${'a'.repeat(150_000)}\n  :\n${keys(7000).replaceAll('k', '    k')}\n`,
  'a text of 200 KB, a hundred times': `x: &x ${'a'.repeat(200_000)}\n${web(`command: [${'*x,'.repeat(99)}]`)}`,
  '9,000 wrong ports': web(`ports: [${'0,'.repeat(9000)}]`),
  'a duplicate key': web('image: nginx:2'),
  'a duplicate key in other quotes': web('"image": nginx:2'),
  '100,000 keys': keys(100_000),
  '30,000 keys': keys(30_000),
  '9,900 unknown keys of one service': `services:\n  web:\n    image: nginx:1\n${Array.from({ length: 4900 }, (_, i) => `    k${i}: 1`).join('\n')}\n`,
  '120,000 list items': `x:\n${'- \n'.repeat(80_000)}`,
  '__proto__ as a key': web('__proto__: {privileged: true}'),
  '__proto__ in quotes': `"__proto__": {services: {}}\n${ORDINARY_FILE}`,
  '__proto__ by a merge': `x: &x {__proto__: {a: b}}\n${web('<<: *x')}`,
  'constructor as a service with a prototype': 'services: {constructor: {prototype: {image: "nginx:1"}}}\n',
  'NUL in a text': web('command: "a\\0b"'),
  'NUL in the file': `${ORDINARY_FILE}\0`,
  'a lone surrogate': web('command: "\\uD800"'),
  'invalid UTF-8': new Uint8Array([...Buffer.from(ORDINARY_FILE), 0xc3, 0x28]),
  'overlong UTF-8': new Uint8Array([...Buffer.from('services: "'), 0xc0, 0xaf, 0x22]),
  'tabs for indentation': 'services:\n\tweb:\n\t\timage: nginx:1\n',
  'two documents': `${ORDINARY_FILE}---\n${ORDINARY_FILE}`,
  'a document of YAML 1.1': `%YAML 1.1\n---\n${ORDINARY_FILE}`,
  'a directive that nobody knows': `%FOO bar\n---\n${ORDINARY_FILE}`,
  'a custom tag': web('command: !js/function "function () {}"'),
  'a binary value': web('command: !!binary aGVsbG8='),
  'a set': web('labels: !!set {a, b}'),
  'a tag that executes elsewhere': web('command: !!python/object/apply:os.system ["id"]'),
  'a mapping as a key': '{a: b}: c\n',
  'a list as a key': '? [a, b]\n: c\n',
  'a number as a key': 'services: {80: {image: "nginx:1"}}\n',
  nothing: '',
  'a comment alone': '# nothing\n',
  'a scalar alone': 'services\n',
  'a list alone': '- services\n',
  'quotes that never close': `services: "${'a'.repeat(100_000)}`,
  'escapes without end': `services: "${'\\x'.repeat(50_000)}`,
  'blanks, 250 KB of them': `${' '.repeat(250_000)}a: [`,
  'anchors, 20,000 of them': `x: [${Array.from({ length: 20_000 }, (_, i) => `&a${i} 1`).join(',')}]\n${ORDINARY_FILE}`,
  'a dollar sign before every letter': web(`command: "${'$'.repeat(99_999)}"`),
  '120,000 variables': web(`command: "${'$A'.repeat(120_000)}"`),
  '100,000 variables in copies': `x: &x "${'${A?}'.repeat(1000)}"\n${web(`command: [${'*x,'.repeat(99)}]`)}`,
  'defaults nested a thousand deep': web(`command: "${'${A:-'.repeat(1000)}${'}'.repeat(1000)}"`),
};
