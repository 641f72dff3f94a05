import { expectOnly, load } from '../lib/load.js';
import { getRequest, inTurn } from '../lib/requests.js';
import { repeat } from '../lib/rounds.js';
import type { Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';
import { subtreesOfLevel } from '../seed/samples.js';

const PAGE = 50;
const LEVELS = [0, 1, 2, 3, 4, 5];

/**
 * The same page for subtrees of every shape: the whole tree and, on each level, the partners with most and with
 * fewest licenses that still fill a page; from the start and continued from the middle.
 */
export const planStability: Row = {
  number: '8',
  work: 'GET /licenses, 50: slowest subtree shape to fastest, p50',
  unit: 'ratio',
  baseline: '-',
  better: 'lower',
  floor: 5,
  ambitious: 2,
  async run(stage) {
    await stage.fill();
    const product = await stage.partnerApi();
    const shapes = await requestsOfShapes(stage);
    const seconds = Math.min(1, stage.options.seconds);
    return repeat(stage.options.rounds, async () => {
      const times: number[] = [];
      for (const shape of shapes) {
        const next = inTurn([shape]);
        const result = await load({ port: product.port, connections: 4, seconds, next });
        times.push(expectOnly(result, 200).p50);
      }
      return Math.max(...times) / Math.min(...times);
    });
  },
};

async function requestsOfShapes(stage: Stage): Promise<Buffer[]> {
  const levels = await Promise.all(LEVELS.map((level) => subtreesOfLevel(stage.pool, level)));
  const extremes = levels.flatMap((subtrees) => {
    const filling = subtrees.filter(({ licenses }) => licenses >= 2 * PAGE);
    return [...new Set([filling[0], filling.at(-1)])].filter((subtree) => subtree !== undefined);
  });
  const requests: Buffer[] = [];
  for (const { partnerId, token, licenses } of extremes) {
    const { rows } = await stage.pool.query<{ license_id: string }>(
      `select license_id from licensing.subtree_index where ancestor_id = $1
        order by issued_at desc, license_id desc offset $2 limit 1`,
      [partnerId, Math.floor(licenses / 2)],
    );
    requests.push(
      getRequest(`/v1/licenses?limit=${PAGE}`, token),
      getRequest(`/v1/licenses?limit=${PAGE}&after=${rows[0]?.license_id}`, token),
    );
  }
  return requests;
}
