import { expectOnly, load } from '../lib/load.js';
import { getRequest, inTurn } from '../lib/requests.js';
import { compare } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';
import { provideRawList } from '../seed/raw-tables.js';
import { subtreesOfLevel } from '../seed/samples.js';

const BASELINE = 'raw Fastify and pg: rows by an index, JSON.stringify, no authentication';
const LEAF_LEVEL = 5;
const SHARE_SKIPPED = 0.9;

/** `GET /v1/licenses` as a page of the whole tree and of one hosting company. */
export const listLicenses: Row[] = [
  {
    number: '7a',
    work: 'GET /licenses, 200 of the whole tree, 16 connections',
    unit: 'req/s',
    baseline: BASELINE,
    better: 'higher',
    floor: 0.8,
    ambitious: 1.6,
    run: (stage) => firstPages(stage, 0),
  },
  {
    number: '7b',
    work: 'GET /licenses, 200 of a leaf, 16 connections',
    unit: 'req/s',
    baseline: BASELINE,
    better: 'higher',
    floor: 0.8,
    ambitious: 1.6,
    run: (stage) => firstPages(stage, LEAF_LEVEL),
  },
  {
    number: '9',
    work: 'GET /licenses?offset= behind nine tenths of the table, p50',
    unit: 'ms',
    baseline: 'the same page by OFFSET over an index, without authentication',
    better: 'lower',
    floor: 1.0,
    ambitious: 0.03,
    run: deepPage,
  },
];

async function firstPages(stage: Stage, level: number): Promise<Measured> {
  const { product, raw, subtree } = await prepare(stage, level);
  const ours = inTurn([getRequest('/v1/licenses?limit=200', subtree.token)]);
  const ofPartner = level === 0 ? '' : `&partner=${subtree.partnerId}`;
  const theirs = inTurn([getRequest(`/licenses?limit=200${ofPartner}`)]);
  const { seconds, rounds } = stage.options;
  const ask = async (port: number, next: () => Buffer) =>
    expectOnly(await load({ port, connections: 16, seconds, next }), 200).perSecond;
  return compare(
    rounds,
    () => ask(product.port, ours),
    () => ask(raw.port, theirs),
  );
}

async function deepPage(stage: Stage): Promise<Measured> {
  const { product, raw, subtree } = await prepare(stage, 0);
  const offset = Math.floor(subtree.licenses * SHARE_SKIPPED);
  const ours = inTurn([getRequest(`/v1/licenses?limit=200&offset=${offset}`, subtree.token)]);
  const theirs = inTurn([getRequest(`/licenses?limit=200&offset=${offset}`)]);
  const { seconds, rounds } = stage.options;
  const ask = async (port: number, next: () => Buffer) =>
    expectOnly(await load({ port, connections: 1, seconds, next }), 200).p50;
  return compare(
    rounds,
    () => ask(product.port, ours),
    () => ask(raw.port, theirs),
  );
}

/** Starts the servers. @returns them and the largest subtree of the level, by number of licenses */
async function prepare(stage: Stage, level: number) {
  await stage.fill();
  await provideRawList(stage.pool);
  const [subtree] = await subtreesOfLevel(stage.pool, level);
  if (!subtree) throw new Error(`no partner of level ${level} has a license`);
  return { product: await stage.partnerApi(), raw: await stage.baseline('license-rows'), subtree };
}
