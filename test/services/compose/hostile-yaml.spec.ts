import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Invalid } from '#kernel/errors';
import { ComposePlanner } from '../../../libs/services/src/application/compose-planner.js';
import { WorkerComposeParser } from '../../../libs/services/src/infrastructure/compose/worker-compose-parser.js';
import { aContext } from './planning.js';

const LONGEST_ANSWER_MS = 300;
const LONGEST_LAG_MS = 50;
const ordinary = 'services:\n  web:\n    image: nginx:1.27\n';
const web = (line: string): string => `${ordinary}    ${line}\n`;

function laughs(levels: number, width: number): string {
  const lines = ['x0: &x0 [lol, lol]'];
  for (let level = 1; level < levels; level += 1)
    lines.push(`x${level}: &x${level} [${Array.from({ length: width }, () => `*x${level - 1}`).join(', ')}]`);
  return `${lines.join('\n')}\n${ordinary}`;
}

const keys = (count: number): string =>
  Array.from({ length: count }, (_, index) => `k${index.toString(36)}:`).join('\n');

const files: Readonly<Record<string, string | Uint8Array>> = {
  'billion laughs': laughs(10, 9),
  'laughs that double forty times': laughs(40, 2),
  'quadratic laughs: one long list many times': `x: &x [${'a,'.repeat(5000)}a]\ny: [${'*x,'.repeat(60)}*x]\n${ordinary}`,
  'more than a hundred aliases': `x: &x a\ny: [${'*x,'.repeat(100)}*x]\n${ordinary}`,
  'merges of empty maps, 80 KB in one list': `x:\n  <<: [${Array.from({ length: 27_000 }, () => '{}').join(',')}]\n${ordinary}`,
  'merges of empty maps, one key each': `x:\n${'  <<: {}\n'.repeat(9000)}${ordinary}`,
  'merges that double': `a0: &a0 {k: v}\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}], k${i}: v}`).join('\n')}\n${ordinary}`,
  'a merge of itself': 'services: &s\n  <<: *s\n',
  'a merge of a scalar': `x: {<<: a}\n${ordinary}`,
  'flow lists nested 100,000 deep': '['.repeat(100_000),
  'flow maps nested 20,000 deep': '{a: '.repeat(20_000),
  'closed flow lists nested 60 deep': `x: ${'['.repeat(60)}${']'.repeat(60)}\n${ordinary}`,
  'block maps nested 500 deep': Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
  'block lists nested 5,000 deep': '- '.repeat(5000),
  'an anchor that contains itself': 'services: &s {web: *s}\n',
  'an alias without an anchor': web('command: *nothing'),
  'a scalar of 300 KB': web(`command: ${'a'.repeat(300_000)}`),
  'a key of 200 KB': `? ${'a'.repeat(200_000)}\n: b\n${ordinary}`,
  'a duplicate key': web('image: nginx:2'),
  'a duplicate key in other quotes': web('"image": nginx:2'),
  '100,000 keys': keys(100_000),
  '30,000 keys': keys(30_000),
  '9,900 unknown keys of one service': `services:\n  web:\n    image: nginx:1\n${Array.from({ length: 4900 }, (_, i) => `    k${i}: 1`).join('\n')}\n`,
  '120,000 list items': `x:\n${'- \n'.repeat(80_000)}`,
  '__proto__ as a key': web('__proto__: {privileged: true}'),
  '__proto__ in quotes': `"__proto__": {services: {}}\n${ordinary}`,
  '__proto__ by a merge': `x: &x {__proto__: {a: b}}\n${web('<<: *x')}`,
  'constructor as a service with a prototype': 'services: {constructor: {prototype: {image: "nginx:1"}}}\n',
  'NUL in a text': web('command: "a\\0b"'),
  'NUL in the file': `${ordinary}\0`,
  'a lone surrogate': web('command: "\\uD800"'),
  'invalid UTF-8': new Uint8Array([...Buffer.from(ordinary), 0xc3, 0x28]),
  'overlong UTF-8': new Uint8Array([...Buffer.from('services: "'), 0xc0, 0xaf, 0x22]),
  'tabs for indentation': 'services:\n\tweb:\n\t\timage: nginx:1\n',
  'two documents': `${ordinary}---\n${ordinary}`,
  'a document of YAML 1.1': `%YAML 1.1\n---\n${ordinary}`,
  'a directive that nobody knows': `%FOO bar\n---\n${ordinary}`,
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
  'anchors, 20,000 of them': `x: [${Array.from({ length: 20_000 }, (_, i) => `&a${i} 1`).join(',')}]\n${ordinary}`,
  'a dollar sign before every letter': web(`command: "${'$'.repeat(99_999)}"`),
  'defaults nested a thousand deep': web(`command: "${'${A:-'.repeat(1000)}${'}'.repeat(1000)}"`),
};

interface Answer {
  readonly error: unknown;
  readonly tookMs: number;
  readonly lagMs: number;
}

async function refusedBy(planner: ComposePlanner, file: string | Uint8Array): Promise<Answer> {
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const began = performance.now();
  const error: unknown = await planner.plan(file, aContext()).catch((reason: unknown) => reason);
  const tookMs = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 10));
  lag.disable();
  return { error, tookMs, lagMs: lag.max / 1e6 };
}

describe('hostile YAML', () => {
  const parser = new WorkerComposeParser();
  const planner = new ComposePlanner(parser);

  beforeAll(async () => {
    await Promise.all([planner.plan(ordinary, aContext()), planner.plan(ordinary, aContext())]);
  });
  afterAll(() => parser.onApplicationShutdown());

  it.each(Object.entries(files))('is refused in time and leaves the event loop free: %s', async (_, file) => {
    let { error, tookMs, lagMs } = await refusedBy(planner, file);
    expect(error).toBeInstanceOf(Invalid);
    expect((error as Invalid).slug).toBe('validation_failed');
    expect((error as Invalid).violations.length).toBeGreaterThan(0);
    // A file that blocks does so every time; a busy machine does not.
    for (let again = 0; again < 4 && (tookMs >= LONGEST_ANSWER_MS || lagMs >= LONGEST_LAG_MS); again += 1)
      ({ error, tookMs, lagMs } = await refusedBy(planner, file));
    expect(tookMs).toBeLessThan(LONGEST_ANSWER_MS);
    expect(lagMs).toBeLessThan(LONGEST_LAG_MS);
  });

  it('does not keep the next file from being read', async () => {
    const slow = files['flow lists nested 100,000 deep'] ?? '';
    const refused = [planner.plan(slow, aContext()), planner.plan(slow, aContext())].map((one) =>
      one.catch(() => 'refused'),
    );
    const plan = await planner.plan(ordinary, aContext());
    expect(plan.containers).toHaveLength(1);
    expect(await Promise.all(refused)).toEqual(['refused', 'refused']);
  });

  it('pollutes no prototype', () => {
    expect(({} as Record<string, unknown>).privileged).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
