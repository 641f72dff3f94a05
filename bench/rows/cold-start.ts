import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../lib/program.js';
import { median } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';

const IDLE_MS = 2_000;
const BASELINE = 'hello world of Nest on Fastify';

/** The partner API from process start to its first response, and its idle memory. */
export const coldStart: Row[] = [
  {
    number: '27a',
    work: 'cold start of the partner API to the first 200',
    unit: 's',
    baseline: BASELINE,
    better: 'lower',
    floor: 4,
    ambitious: 1.5,
    run: (stage) => measure(stage, (program) => Promise.resolve(program.startSeconds)),
  },
  {
    number: '27b',
    work: 'resident memory of the idle partner API',
    unit: 'MB',
    baseline: BASELINE,
    better: 'lower',
    floor: 220,
    ambitious: 130,
    run: (stage) =>
      measure(stage, async (program) => {
        await pause(IDLE_MS);
        return program.residentMb();
      }),
  },
];

/** Judges the absolute number, because that is what an operator notices. */
async function measure(stage: Stage, look: (program: Program) => Promise<number>): Promise<Measured> {
  const once = async (start: () => Promise<Program>) => {
    const program = await start();
    try {
      return await look(program);
    } finally {
      await program.stop();
    }
  };
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < stage.options.rounds; round++) {
    ours.push(await once(() => stage.startPartnerApi()));
    baseline.push(await once(() => stage.startBaseline('hello-nest')));
  }
  return { ours: median(ours), baseline: median(baseline), judged: median(ours) };
}
