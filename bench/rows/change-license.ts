import { expectOnly, load } from '../lib/load.js';
import { postRequest } from '../lib/requests.js';
import { compare } from '../lib/rounds.js';
import type { Row } from '../lib/row.js';
import { sampleActiveLicenses } from '../seed/samples.js';
import { provideRawTables } from '../seed/raw-tables.js';

/** Enough that the licenses do not run out: each is suspended, resumed and finally terminated. */
const SAMPLES = 150_000;
const CALLS = ['suspend', 'resume', 'terminate'] as const;

/** Changes of licenses through the state machine, the license service and the ledger. */
export const changeLicense: Row = {
  number: '6',
  work: 'suspend, resume and terminate in equal parts, 32 connections',
  unit: 'req/s',
  baseline: 'raw Fastify and pg: begin, update, insert, commit',
  better: 'higher',
  floor: 0.45,
  ambitious: 1.2,
  async run(stage) {
    await stage.fill();
    await provideRawTables(stage.pool);
    const { seconds, rounds } = stage.options;
    const product = await stage.partnerApi();
    const raw = await stage.baseline('license-writes');
    const samples = await sampleActiveLicenses(stage.pool, SAMPLES);
    const ours = lives(samples, ({ id, token }, call) => postRequest(`/v1/licenses/${id}/${call}`, null, token));
    const theirs = lives(samples, ({ id }, call) => postRequest(`/licenses/${id}/${call}`, null));
    const ask = async (port: number, next: () => Buffer) =>
      expectOnly(await load({ port, connections: 32, seconds, next }), 200).perSecond;
    return compare(
      rounds,
      () => ask(product.port, ours),
      () => ask(raw.port, theirs),
    );
  },
};

/**
 * Requests the three changes of each license in order. 256 licenses take turns, so that no two changes of one license
 * are in progress at the same time.
 */
function lives<T>(samples: readonly T[], request: (sample: T, call: (typeof CALLS)[number]) => Buffer): () => Buffer {
  const together = 256;
  let turn = 0;
  return () => {
    const step = turn++;
    const group = Math.floor(step / (together * CALLS.length));
    const call = CALLS[Math.floor(step / together) % CALLS.length]!;
    const sample = samples[group * together + (step % together)];
    if (sample === undefined) throw new Error('the sampled licenses ran out: measure for a shorter time');
    return request(sample, call);
  };
}
