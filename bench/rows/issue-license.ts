import { expectOnly, load } from '../lib/load.js';
import { inTurn, postRequest } from '../lib/requests.js';
import { compare } from '../lib/rounds.js';
import type { Row } from '../lib/row.js';
import { provideRawTables } from '../seed/raw-tables.js';
import { sampleOrders } from '../seed/samples.js';

const CUSTOMERS = 2_000;

/** The whole way of a license: reservation, key from the local license service, license, ledger, ownership and lists. */
export const issueLicense: Row = {
  number: '5',
  work: 'POST /licenses with the local license service, 32 connections',
  unit: 'req/s',
  baseline: 'raw Fastify and pg: begin, two inserts, commit',
  better: 'higher',
  floor: 0.7,
  ambitious: 1.5,
  async run(stage) {
    await stage.fill();
    await provideRawTables(stage.pool);
    const { seconds, rounds } = stage.options;
    const product = await stage.partnerApi();
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
  },
};
