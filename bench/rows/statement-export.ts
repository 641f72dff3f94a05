import pg from 'pg';
import { to } from 'pg-copy-streams';
import { load } from '../lib/load.js';
import type { Program } from '../lib/program.js';
import { getRequest } from '../lib/requests.js';
import { compare, median, repeat } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import { staffCommand } from '../lib/staff-command.js';
import type { Stage } from '../lib/stage.js';
import { insertTokens, tokenOf } from '../seed/bench-tokens.js';
import { forgetStatements, idOfPartner, MONTH } from '../seed/billing-world.js';
import { onePartner } from './statement-compute.js';

const BIG = { index: 1, id: idOfPartner(1), parentId: null, type: 'hoster', level: 0 } as const;
const LOOK_EVERY_MS = 20;

/** The CSV of a finalized statement over 1,000,000 licenses. */
export const statementExport: Row[] = [
  {
    number: '13a',
    work: 'CSV export of 1,000,000 rows over HTTP, to the last byte',
    unit: 's',
    baseline: 'COPY ... TO STDOUT of the same rows, columns and order through Node',
    better: 'lower',
    floor: 2,
    ambitious: 1.2,
    run: (stage) => exporting(stage, toTheLastByte),
  },
  {
    number: '13b',
    work: 'the same: growth of the memory resident in the API',
    unit: 'MB',
    baseline: '-',
    better: 'lower',
    floor: 60,
    ambitious: 25,
    run: (stage) => exporting(stage, memoryGrowth),
  },
  {
    number: '14',
    work: 'first byte of that export',
    unit: 'ms',
    baseline: '-',
    better: 'lower',
    floor: 500,
    ambitious: 50,
    run: (stage) => exporting(stage, firstByte),
  },
  {
    number: '15',
    work: "others' GET /me during it, p99, 4 connections",
    unit: 'ms',
    baseline: 'the same while nobody exports',
    better: 'lower',
    floor: 4,
    ambitious: 1.5,
    run: (stage) => exporting(stage, others),
  },
];

interface Exporting {
  readonly stage: Stage;
  readonly url: string;
  readonly api: Program;
  /** Downloads the file. @returns seconds to the first and to the last byte, and how many rows came */
  readonly download: () => Promise<{ first: number; last: number; rows: number }>;
}

async function exporting(stage: Stage, measure: (given: Exporting) => Promise<Measured>): Promise<Measured> {
  const url = await onePartner(stage);
  const id = await finalizedStatement(stage, url);
  const api = await stage.startPartnerApi(undefined, url);
  try {
    const address = `http://127.0.0.1:${api.port}/v1/statements/${id}/export?format=csv`;
    return await measure({ stage, url, api, download: () => download(address) });
  } finally {
    await api.stop();
  }
}

async function download(address: string) {
  const startedAt = performance.now();
  const answer = await fetch(address, { headers: { authorization: `Bearer ${tokenOf(BIG)}` } });
  if (answer.status !== 200 || !answer.body) throw new Error(`the export was answered ${answer.status}`);
  let [first, rows] = [0, -1];
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    first ||= performance.now() - startedAt;
    rows += lineFeeds(chunk);
  }
  return { first: first / 1000, last: (performance.now() - startedAt) / 1000, rows };
}

async function toTheLastByte({ stage, url, download: get }: Exporting): Promise<Measured> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const rows = new Set<number>();
    const copy = async () => {
      const startedAt = performance.now();
      let seen = -1;
      for await (const chunk of client.query(to(SAME_ROWS)) as AsyncIterable<Buffer>) seen += lineFeeds(chunk);
      rows.add(seen);
      return (performance.now() - startedAt) / 1000;
    };
    const ours = async () => {
      const result = await get();
      rows.add(result.rows);
      return result.last;
    };
    const measured = await compare(stage.options.rounds, ours, copy);
    if (rows.size !== 1) throw new Error(`the two gave different numbers of rows: ${[...rows].join(', ')}`);
    return measured;
  } finally {
    await client.end();
  }
}

async function memoryGrowth({ api, download: get }: Exporting): Promise<Measured> {
  await load({ port: api.port, connections: 4, seconds: 1, next: () => getRequest('/v1/me', tokenOf(BIG)) });
  const before = api.residentMb();
  let most = before;
  const look = setInterval(() => (most = Math.max(most, api.residentMb())), LOOK_EVERY_MS);
  await get();
  clearInterval(look);
  const growth = most - before;
  return { ours: growth, baseline: null, judged: growth };
}

function firstByte({ stage, download: get }: Exporting): Promise<Measured> {
  return repeat(stage.options.rounds, async () => (await get()).first * 1000);
}

async function others({ stage, api, download: get }: Exporting): Promise<Measured> {
  const next = () => getRequest('/v1/me', tokenOf(BIG));
  const ask = async () => (await load({ port: api.port, connections: 4, seconds: stage.options.seconds, next })).p99;
  const results: { ours: number; baseline: number }[] = [];
  await ask();
  for (let round = 0; round < stage.options.rounds; round++) {
    const baseline = await ask();
    const busy = { on: true };
    const exports = (async () => {
      while (busy.on) await get();
    })();
    const ours = await ask();
    busy.on = false;
    await exports;
    results.push({ ours, baseline });
  }
  return {
    ours: median(results.map(({ ours }) => ours)),
    baseline: median(results.map(({ baseline }) => baseline)),
    judged: median(results.map(({ ours, baseline }) => ours / baseline)),
  };
}

/** @returns the id of the existing statement, or of a new one */
async function finalizedStatement(stage: Stage, url: string): Promise<string> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await insertTokens(pool, [BIG]);
    const sql = `select id from billing.statements where partner_id = $1 and status = 'finalized'`;
    const known = await pool.query<{ id: string }>(sql, [BIG.id]);
    if (known.rows[0]) return known.rows[0].id;
    await forgetStatements(pool);
    const args = ['--period', MONTH, '--partner', BIG.id, '--by', 'bench', '--review', '--yes'];
    const { answer } = await staffCommand(stage.options.root, url, ['statements', 'finalize', ...args]);
    await pool.query('vacuum (analyze) billing.statement_parts');
    return (answer as { finalized: { id: string }[] }).finalized[0]!.id;
  } finally {
    await pool.end();
  }
}

const SAME_ROWS = `
  copy (select s.id as "statementId", s.partner_id as "partnerId", s.period_start as "periodStart",
               (s.period_start + interval '1 month - 1 day')::date as "periodEnd", s.revision, l.contract_id as "contractId",
               l.model, l.currency, p.license_id as "licenseId", p.key_masked as "keyMasked", p.days, 1 as quantity,
               l.unit_price_cents as "unitPriceCents", p.amount_cents as "amountCents", null as "packDrawn",
               null as "packRemaining"
          from billing.statements s
          join billing.statement_lines l on l.figures = s.figures
          join billing.statement_parts p on p.figures = l.figures and p.position = l.position
         where s.partner_id = '${BIG.id}' and s.status = 'finalized'
         order by l.position, p.license_id)
    to stdout (format csv, header)`;

function lineFeeds(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}
