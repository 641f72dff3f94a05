import { expectOnly, load } from '../lib/load.js';
import type { Program } from '../lib/program.js';
import { inTurn, postRequest } from '../lib/requests.js';
import { compare } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';
import { provideRawTables } from '../seed/raw-tables.js';
import { sampleOrders } from '../seed/samples.js';

const CUSTOMERS = 2_000;
const COMMON = {
  unit: 'req/s',
  baseline: 'raw Fastify and pg: begin, two inserts, commit',
  better: 'higher',
  floor: 0.45,
  ambitious: 1.5,
} as const;

export const issueLicense: Row[] = [
  {
    ...COMMON,
    number: '5a',
    // The complete issue of a license: key and record at the license service, license, ledger, ownership and lists.
    work: 'POST /licenses with the local license service, 32 connections',
    run: async (stage) => {
      await stage.fill();
      return measure(stage, await stage.partnerApi());
    },
  },
  {
    ...COMMON,
    number: '5b',
    // The key comes from outside our transactions, so it is requested for a reservation.
    work: 'POST /licenses with a Keygen that takes no time, 32 connections',
    run: overInstantKeygen,
  },
];

async function overInstantKeygen(stage: Stage): Promise<Measured> {
  await stage.fill();
  const product = await stage.startPartnerApi('dist/bench/baselines/partner-api-over-instant-keygen.js');
  try {
    return await measure(stage, product);
  } finally {
    await product.stop();
  }
}

async function measure(stage: Stage, product: Program): Promise<Measured> {
  await provideRawTables(stage.pool);
  const { seconds, rounds } = stage.options;
  const raw = await stage.baseline('license-writes');
  const orders = await sampleOrders(stage.pool, CUSTOMERS);
  const ours = inTurn(orders.map(({ token, body }) => postRequest('/v1/licenses', body, token)));
  const theirs = inTurn(orders.map(({ body }) => postRequest('/licenses', body)));
  const ask = async (port: number, next: () => Buffer) =>
    expectOnly(await load({ port, connections: 32, seconds, next }), 201).perSecond;
  return compare(
    rounds,
    () => ask(product.port, ours),
    () => ask(raw.port, theirs),
  );
}
