import { expectOnly, load } from '../lib/load.js';
import { getRequest, inTurn } from '../lib/requests.js';
import { compare } from '../lib/rounds.js';
import type { Row } from '../lib/row.js';
import { tokenOf } from '../seed/bench-tokens.js';
import { partnerTree } from '../seed/partner-tree.js';

/** The cost of counting requests per token, on the cheapest route. */
export const rateLimiter: Row = {
  number: '26',
  work: 'GET /me with the rate limiter, 32 connections',
  unit: 'req/s',
  baseline: 'the same process with the limiter taken out',
  better: 'higher',
  floor: 0.85,
  ambitious: 0.98,
  async run(stage) {
    await stage.fill();
    const { seconds, rounds } = stage.options;
    const limited = await stage.partnerApi();
    const unlimited = await stage.startPartnerApi('dist/bench/baselines/partner-api-without-limiter.js');
    const holders = partnerTree().filter(({ type }) => type !== 'operator');
    const next = inTurn(holders.map((partner) => getRequest('/v1/me', tokenOf(partner))));
    const ask = async (port: number) => expectOnly(await load({ port, connections: 32, seconds, next }), 200).perSecond;
    try {
      return await compare(
        rounds,
        () => ask(limited.port),
        () => ask(unlimited.port),
      );
    } finally {
      await unlimited.stop();
    }
  },
};
