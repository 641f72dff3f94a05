import { availableParallelism } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { Invalid, Unavailable } from '#kernel/errors';
import { ComposePlanner } from '../../../libs/services/src/application/intake/compose-planner.js';
import { WorkerComposeParser } from '../../../libs/services/src/infrastructure/compose/worker-compose-parser.js';
import { PATIENCE } from '../../../tools/lib/tests/patience.mjs';
import { aContext } from '../../support/builders/a-plan-context.js';
import { eventually } from '../../support/docker/eventually.js';
import { HOSTILE_FILES, ORDINARY_FILE } from './hostile-files.js';

const MAX_ANSWER_MS = 300 * PATIENCE;
const MAX_LAG_MS = 50 * PATIENCE;
const MAX_TRIES = 15;
interface Answer {
  readonly error: unknown;
  /** By the clock or by the processor, whichever is less: a busy machine stretches the one. */
  readonly tookMs: number;
  readonly lagMs: number;
}

async function refusedBy(planner: ComposePlanner, file: string | Uint8Array): Promise<Answer> {
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const began = performance.now();
  const spent = process.cpuUsage();
  const error: unknown = await planner.plan(file, aContext()).catch((reason: unknown) => reason);
  const { user, system } = process.cpuUsage(spent);
  const tookMs = Math.min(performance.now() - began, (user + system) / 1000);
  await new Promise((resolve) => setTimeout(resolve, 10));
  lag.disable();
  return { error, tookMs, lagMs: lag.max / 1e6 };
}

describe('hostile YAML', () => {
  const parser = new WorkerComposeParser();
  const planner = new ComposePlanner(parser);

  const untilThreadsRun = () =>
    Promise.allSettled([planner.plan(ORDINARY_FILE, aContext()), planner.plan(ORDINARY_FILE, aContext())]);

  beforeAll(untilThreadsRun);
  afterAll(() => parser.onApplicationShutdown());

  it.each(Object.entries(HOSTILE_FILES))('is refused in time and leaves the event loop free: %s', async (_, file) => {
    const { error, ...first } = await refusedBy(planner, file);
    let { tookMs, lagMs } = first;
    expect(error).toBeInstanceOf(Invalid);
    expect((error as Invalid).slug).toBe('validation_failed');
    expect((error as Invalid).violations.length).toBeGreaterThan(0);
    // A file that blocks does so every time; a busy machine does not.
    for (let again = 0; again < MAX_TRIES && (tookMs >= MAX_ANSWER_MS || lagMs >= MAX_LAG_MS); again += 1) {
      // A thread that the last try has cost is replaced by one that starts from source, which takes the processor.
      await untilThreadsRun();
      const next = await refusedBy(planner, file);
      [tookMs, lagMs] = [Math.min(tookMs, next.tookMs), Math.min(lagMs, next.lagMs)];
    }
    expect(tookMs).toBeLessThan(MAX_ANSWER_MS);
    expect(lagMs).toBeLessThan(MAX_LAG_MS);
  });

  it('is not seen in an honest file of 120 KB on a busy machine', async () => {
    const settings = Array.from({ length: 3000 }, (_, n) => `      KEY_${n}: "value ${n} of the shop"\n`).join('');
    const others = Array.from({ length: 4 * availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
    try {
      for (let n = 0; n < 3; n += 1) {
        const answer: unknown = await parser
          .parse(`${ORDINARY_FILE}    environment:\n${settings}`, aContext())
          .catch((reason: unknown) => reason);
        expect(answer).not.toBeInstanceOf(Invalid);
      }
    } finally {
      await Promise.all(others.map((one) => one.terminate()));
    }
  }, 60_000);

  it('with values of 64 KB for its variables is refused and costs no gigabytes', async () => {
    const text = `x-x: &x "${'$A'.repeat(90)}"\n${ORDINARY_FILE}    command: [${'*x,'.repeat(99)}]\n`;
    const context = aContext({ variables: new Map([['A', 'a'.repeat(65_536)]]) });
    const error: unknown = await planner.plan(text, context).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ violations: [{ path: '/services/web/command/0', code: 'interpolation_invalid' }] });
  });

  it('with thousands of wrong places is told all of them, from the thread that read it', async () => {
    const text = `${ORDINARY_FILE}    pid: host\n    volumes: [${'/:/,'.repeat(4000)}]\n`;
    let { error, lagMs } = await refusedBy(planner, text);
    expect((error as Invalid).slug).toBe('compose_forbidden');
    expect((error as Invalid).violations.map(({ path }) => path)).toEqual([
      '/services/web/pid',
      ...Array.from({ length: 4000 }, (_, index) => `/services/web/volumes/${index}`),
    ]);
    for (let again = 0; again < MAX_TRIES && lagMs >= MAX_LAG_MS; again += 1)
      ({ error, lagMs } = await refusedBy(planner, text));
    expect(lagMs).toBeLessThan(MAX_LAG_MS);
  });

  it('does not keep the next file from being read', async () => {
    const slow = HOSTILE_FILES['100,000 keys'] ?? '';
    const refused = [planner.plan(slow, aContext()), planner.plan(slow, aContext())].map((one) =>
      one.catch(() => 'refused'),
    );
    // A busy machine may need several times 5 seconds for a new thread that runs from source: 503 until then.
    const plan = await eventually(
      () => planner.plan(ORDINARY_FILE, aContext()).catch((reason: unknown) => reason),
      (answer) => !(answer instanceof Unavailable),
    );
    expect(plan).toMatchObject({ containers: [expect.anything()] });
    expect(await Promise.all(refused)).toEqual(['refused', 'refused']);
  });

  it('of one tenant does not hold up another one', async () => {
    await untilThreadsRun();
    const of = (owner: string) => aContext({ organisationNetwork: { name: `organisation_${owner}`, owner } });
    const large = `${ORDINARY_FILE}    labels:\n${Array.from({ length: 1500 }, (_, n) => `      key${n}: "value"\n`).join('')}`;
    let [greedy, modest] = [0, 0];
    const many = Array.from({ length: 24 }, () =>
      planner.plan(large, of('greedy')).then(
        () => (greedy = performance.now()),
        () => (greedy = performance.now()),
      ),
    );
    await planner.plan(ORDINARY_FILE, of('modest')).then(() => (modest = performance.now()));
    await Promise.all(many);
    expect(modest).toBeLessThan(greedy);
  });

  it('pollutes no prototype', () => {
    expect(({} as Record<string, unknown>).privileged).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
