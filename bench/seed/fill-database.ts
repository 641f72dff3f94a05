import type { Pool } from 'pg';
import { insertTokens } from './bench-tokens.js';
import { bulkLoad } from './bulk-load.js';
import { insertLicenses } from './licenses.js';
import { insertPartners, partnerTree } from './partner-tree.js';

const FULL_SCALE = 1_000_000;

/** Fills an empty database; one that an earlier run filled to the same scale is left as it is. */
export async function fillDatabase(pool: Pool, scale: number, say: (text: string) => void): Promise<void> {
  const licenses = Math.max(1000, Math.round(FULL_SCALE * scale));
  const filled = await filledLicenses(pool);
  if (filled === licenses) return insertTokens(pool, partnerTree());
  if (filled !== null) throw new Error(`the kept database has ${filled} licenses: give its --scale or another folder`);
  const startedAt = performance.now();
  const partners = partnerTree();
  say(`filling the database with ${licenses} licenses ...`);
  const load = async () => {
    await insertPartners(pool, partners);
    await insertTokens(pool, partners);
    await insertLicenses(pool, licenses);
  };
  await bulkLoad(pool, load, say);
  await pool.query('create schema bench');
  await pool.query('create table bench.filled (licenses bigint not null)');
  await pool.query('insert into bench.filled values ($1)', [licenses]);
  say(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

/**
 * Null if the database is empty.
 * @throws Error if an earlier run was interrupted while filling it
 */
async function filledLicenses(pool: Pool): Promise<number | null> {
  const { rows: known } = await pool.query<{ known: boolean }>(
    "select to_regclass('bench.filled') is not null as known",
  );
  if (known[0]?.known) {
    const { rows } = await pool.query<{ licenses: string }>('select licenses from bench.filled');
    return Number(rows[0]?.licenses);
  }
  const { rows } = await pool.query('select 1 from partners.partners limit 1');
  if (rows.length > 0) throw new Error('the kept database is half filled: remove its folder');
  return null;
}
