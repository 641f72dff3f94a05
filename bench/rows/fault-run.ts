import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Program } from '../lib/program.js';
import { RetryingCaller } from '../lib/retrying-caller.js';
import type { Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';
import { sampleOrders, type OrderSample } from '../seed/samples.js';

const KILLS_PER_ROUND = 3;
const CALLERS = 16;
/** Maximum lifetime of a process in milliseconds, once it responds. */
const LIFE_MS = 1_500;

/** A confirmed license: the responses said that it exists, that it has this key and that it is suspended. */
interface Confirmed {
  readonly reference: string;
  readonly id: string;
  readonly key: string;
}

/** Issuing and suspending while the API is killed with `kill -9`, by clients that repeat with the same key. */
export const faultRun: Row = {
  number: '28',
  work: 'requests lost per kill -9 of the partner API, by clients that retry with an Idempotency-Key',
  unit: 'requests',
  baseline: '-',
  better: 'lower',
  floor: 0,
  ambitious: 0,
  async run(stage) {
    await stage.fill();
    const kills = KILLS_PER_ROUND * stage.options.rounds;
    const confirmed = await callThrough(stage, kills);
    const lost = confirmed.length - (await countStored(stage.pool, confirmed));
    return { ours: lost / kills, baseline: null, judged: lost / kills };
  },
};

async function callThrough(stage: Stage, kills: number): Promise<Confirmed[]> {
  const orders = await sampleOrders(stage.pool, 500);
  let api = await stage.startPartnerApi();
  const caller = new RetryingCaller(() => `http://127.0.0.1:${api.port}`);
  const confirmed: Confirmed[] = [];
  const run = randomBytes(4).toString('hex');
  let asked = 0;
  let over = false;
  const refusals: unknown[] = [];
  const work = async () => {
    while (!over) {
      const number = asked++;
      confirmed.push(await issueAndSuspend(caller, orders[number % orders.length]!, `fault-${run}-${number}`));
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, () => work().catch((error) => refusals.push(error))));
  try {
    for (let kill = 0; kill < kills && refusals.length === 0; kill++) {
      const before = caller.retries;
      api = await killed(api, stage);
      if (caller.retries === before && refusals.length === 0)
        throw new Error('a kill interrupted no request, so nothing was measured');
    }
    over = true;
    await callers;
    if (refusals.length > 0) throw refusals[0];
  } finally {
    caller.stop();
    await api.stop();
  }
  return confirmed;
}

/**
 * Kills the process after a random time.
 * @returns the process that replaces it
 */
async function killed(api: Program, stage: Stage): Promise<Program> {
  await pause(Math.random() * LIFE_MS);
  await api.kill();
  return stage.startPartnerApi();
}

async function issueAndSuspend(caller: RetryingCaller, order: OrderSample, reference: string): Promise<Confirmed> {
  const body = { ...order.body, externalBillingRef: reference };
  const issued = await caller.post<{ license: { id: string }; key: string }>('/v1/licenses', order.token, body);
  const { id } = issued.license;
  await caller.post(`/v1/licenses/${id}/suspend`, order.token, null);
  return { reference, id, key: issued.key };
}

/** Counts the confirmed licenses that exist exactly once and match in row, ledger and license service. */
async function countStored(pool: Pool, confirmed: readonly Confirmed[]): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(STORED, [
    confirmed.map(({ reference }) => reference),
    confirmed.map(({ id }) => id),
    confirmed.map(({ key }) => createHash('sha256').update(key).digest()),
  ]);
  return rows[0]!.count;
}

/** The condition `<> ''` is needed for the partial index. Without it, every license would be read per reference. */
const STORED = `
  select count(*)::int as count
    from unnest($1::text[], $2::uuid[], $3::bytea[]) as confirmed (reference, id, key_hash)
    join licensing.licenses l
      on l.id = confirmed.id and l.external_billing_ref = confirmed.reference and l.state = 'suspended'
    join license_service.licenses s
      on s.id = l.upstream_license_id and s.key_hash = confirmed.key_hash and s.suspended and s.revoked_at is null
   where (select count(*) from licensing.licenses twin
           where twin.external_billing_ref = confirmed.reference and twin.external_billing_ref <> '') = 1
     and (select array_agg(e.event order by e.position) from licensing.ledger_events e where e.license_id = l.id)
           = array['license.issued', 'license.suspended']`;
