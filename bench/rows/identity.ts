import { expectOnly, load } from '../lib/load.js';
import { getRequest, inTurn } from '../lib/requests.js';
import { compare } from '../lib/rounds.js';
import type { Row } from '../lib/row.js';

/** Tokens like those of an attacker who guesses: of the right form, but almost never with the right checksum. */
const GARBAGE = Array.from({ length: 1000 }, (_, i) => `pcp_${'0'.repeat(30)}${String(100_000 + i)}`);

/** Invented tokens are refused by their checksum, without a query. */
export const refuseInventedTokens: Row = {
  number: '4',
  work: 'GET /me refused with 401, invented tokens, 32 connections',
  unit: 'req/s',
  baseline: 'Fastify hello world',
  better: 'higher',
  floor: 0.35,
  ambitious: 0.9,
  async run(stage) {
    const { seconds, rounds } = stage.options;
    const product = await stage.partnerApi();
    const hello = await stage.baseline('hello');
    const refused = inTurn(GARBAGE.map((token) => getRequest('/v1/me', token)));
    const greeted = inTurn([getRequest('/hello')]);
    const ask = async (port: number, next: () => Buffer, status: number) =>
      expectOnly(await load({ port, connections: 32, seconds, next }), status).perSecond;
    return compare(
      rounds,
      () => ask(product.port, refused, 401),
      () => ask(hello.port, greeted, 200),
    );
  },
};
