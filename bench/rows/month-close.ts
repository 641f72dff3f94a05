import pg from 'pg';
import { repeat } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import { staffCommand } from '../lib/staff-command.js';
import type { Stage } from '../lib/stage.js';
import { billingWorld, forgetStatements, MONTH } from '../seed/billing-world.js';
import { manyPartners } from './statement-compute.js';

const CLOSE = ['statements', 'finalize', '--period', MONTH, '--by', 'bench', '--review', '--yes'];
const LICENSES_EACH = 100;

/** `statements finalize --review` for everybody, in one CLI process: computed, stored, reviewed, locked. */
export const monthClose: Row[] = [
  {
    number: '11a',
    work: 'month close, 1,000 partners, 1,000,000 licenses, all stored and finalized',
    unit: 's',
    baseline: '-',
    better: 'lower',
    floor: 15,
    ambitious: 3,
    run: async (stage) => {
      const url = await manyPartners(stage);
      return repeat(stage.options.rounds, async () => (await close(url, stage)).seconds);
    },
  },
  {
    number: '11b',
    work: 'the same: most memory resident in the process',
    unit: 'MB',
    baseline: '-',
    better: 'lower',
    floor: 300,
    ambitious: 200,
    run: async (stage) => {
      const url = await manyPartners(stage);
      return repeat(1, async () => (await close(url, stage)).peakMb);
    },
  },
  {
    number: '11c',
    work: 'licenses finalized per second, 10,000 partners with 100 licenses each',
    unit: '1/s',
    baseline: 'the same with 1,000 partners: 1 is linear growth',
    better: 'higher',
    floor: 0.7,
    ambitious: 0.95,
    run: growth,
  },
];

async function growth(stage: Stage): Promise<Measured> {
  const perSecond = async (partners: number) => {
    const url = await billingWorld(stage, { partners, licensesEach: LICENSES_EACH, movedEach: 3 });
    const { seconds } = await close(url, stage);
    return (partners * LICENSES_EACH) / seconds;
  };
  const few = Math.max(10, Math.round(1000 * stage.options.scale));
  const [baseline, ours] = [await perSecond(few), await perSecond(10 * few)];
  return { ours, baseline, judged: ours / baseline };
}

async function close(url: string, stage: Stage) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await forgetStatements(pool);
    return await staffCommand(stage.options.root, url, CLOSE);
  } finally {
    await pool.end();
  }
}
