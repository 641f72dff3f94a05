import { expectOnly, load, type LoadResult } from '../lib/load.js';
import { getRequest, inTurn } from '../lib/requests.js';
import { compare } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';
import { sampleLicenses } from '../seed/samples.js';

const SAMPLES = 20_000;
const BASELINE = 'raw Fastify and pg: the row by its key, no authentication';

/** `GET /v1/licenses/{id}` with token and subtree, many tokens and licenses. */
export const readLicense: Row[] = [
  {
    number: '1',
    work: 'GET /licenses/{id}, 32 connections',
    unit: 'req/s',
    baseline: BASELINE,
    better: 'higher',
    floor: 0.9,
    ambitious: 1.5,
    run: (stage) => measure(stage, 32, (result) => result.perSecond),
  },
  {
    number: '2',
    work: 'GET /licenses/{id}, 128 connections, p99',
    unit: 'ms',
    baseline: BASELINE,
    better: 'lower',
    floor: 1.0,
    ambitious: 0.4,
    run: (stage) => measure(stage, 128, (result) => result.p99),
  },
  {
    number: '3',
    work: 'GET /licenses/{id}, 1 connection, p50',
    unit: 'ms',
    baseline: BASELINE,
    better: 'lower',
    floor: 2.2,
    ambitious: 1.3,
    run: (stage) => measure(stage, 1, (result) => result.p50),
  },
];

async function measure(stage: Stage, connections: number, pick: (result: LoadResult) => number): Promise<Measured> {
  await stage.fill();
  const { seconds, rounds } = stage.options;
  const samples = await sampleLicenses(stage.pool, SAMPLES);
  const product = await stage.partnerApi();
  const raw = await stage.baseline('license-rows');
  const ours = inTurn(samples.map(({ id, token }) => getRequest(`/v1/licenses/${id}`, token)));
  const theirs = inTurn(samples.map(({ id }) => getRequest(`/licenses/${id}`)));
  const ask = async (port: number, next: () => Buffer) =>
    pick(expectOnly(await load({ port, connections, seconds, next }), 200));
  return compare(
    rounds,
    () => ask(product.port, ours),
    () => ask(raw.port, theirs),
  );
}
