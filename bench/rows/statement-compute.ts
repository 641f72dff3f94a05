import pg from 'pg';
import { DataSource } from 'typeorm';
import { entities } from '#database/entities';
import { BillingPeriod } from '#kernel/time/billing-period';
import { SystemClock } from '#kernel/time/clock';
import { dataSourceOptions } from '#platform/database/database.module';
import { HotReader } from '#platform/database/batching/hot-reader';
import { PageConnections } from '#platform/database/connections/page-connections';
import { PipelinedConnection } from '#platform/database/batching/pipelined-connection';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { StatementTotals } from '../../libs/billing/src/application/statement-totals.js';
import { TypeOrmContractRepository } from '../../libs/billing/src/infrastructure/typeorm-contract-repository.js';
import { SqlBillableLicenseSource } from '../../libs/licensing/src/infrastructure/sql/sql-billable-license-source.js';
import { compare, repeat, timed } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import { staffCommand } from '../lib/staff-command.js';
import type { Stage } from '../lib/stage.js';
import { billingWorld, forgetStatements, idOfPartner, MONTH } from '../seed/billing-world.js';
import { COMPUTE_AND_STORE, TOTALS } from '../seed/set-based-statements.js';
import { enginePartsPerSecond } from './engine.js';

/** A statement over 1,000,000 licenses of one partner, 30,000 transfers among them. */
export const statementCompute: Row[] = [
  {
    number: '10a',
    work: 'totals of a month, 1,000 partners, 1,000,000 licenses',
    unit: 's',
    baseline: 'the same totals by one SQL statement',
    better: 'lower',
    floor: 2,
    ambitious: 1.2,
    run: totals,
  },
  {
    number: '10b',
    work: 'the engine alone, 1,000,000 licenses of one partner, two spans for 30,000 of them',
    unit: 'parts/cpu s',
    baseline: '-',
    better: 'higher',
    floor: 2_000_000,
    ambitious: 4_000_000,
    run: (stage) => repeat(stage.options.rounds, () => Promise.resolve(enginePartsPerSecond())),
  },
  {
    number: '10c',
    work: 'read, compute and store 1,000,000 licenses of one partner, 30,000 transfers, the start of the CLI included',
    unit: 's',
    baseline: 'the best single SQL statement that computes and stores the same parts',
    better: 'lower',
    floor: 3,
    ambitious: 1.5,
    run: computeAndStore,
  },
  {
    number: '10d',
    work: 'the same: most memory resident in the process',
    unit: 'MB',
    baseline: '-',
    better: 'lower',
    floor: 300,
    ambitious: 200,
    run: memory,
  },
];

/** @returns the URL of the database with one large partner */
export function onePartner(stage: Stage): Promise<string> {
  const licensesEach = Math.round(1_000_000 * stage.options.scale);
  return billingWorld(stage, { partners: 1, licensesEach, movedEach: Math.round(licensesEach * 0.015) });
}

async function totals(stage: Stage): Promise<Measured> {
  const url = await manyPartners(stage);
  const options = { url, poolSize: 2, applicationName: 'bench', entities, migrations: [] };
  const source = await new DataSource(dataSourceOptions(options)).initialize();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const transactions = new TypeOrmTransactions(source);
    const reader = new HotReader(source, new PipelinedConnection(source), new PageConnections(source));
    const licenses = new SqlBillableLicenseSource(transactions);
    const contracts = new TypeOrmContractRepository(transactions, reader);
    const product = new StatementTotals(contracts, licenses, transactions, new SystemClock());
    await pool.query(`set work_mem = '256MB'`);
    const sums: [number, number] = [0, 0];
    const ours = () =>
      secondsFor(async () => {
        const all = await product.of(BillingPeriod.parse(MONTH)!);
        sums[0] = [...all.values()].flat().reduce((sum, { cents }) => sum + cents, 0);
      });
    const theirs = () =>
      secondsFor(async () => {
        const { rows } = await pool.query<{ cents: string }>(TOTALS);
        sums[1] = rows.reduce((sum, { cents }) => sum + Number(cents), 0);
      });
    const measured = await compare(stage.options.rounds, ours, theirs);
    if (sums[0] !== sums[1]) throw new Error(`the totals disagree: ${sums.join(' and ')}`);
    return measured;
  } finally {
    await pool.end();
    await source.destroy();
  }
}

/** @returns the URL of the database with 1,000 partners */
export function manyPartners(stage: Stage): Promise<string> {
  const licensesEach = Math.round(1000 * stage.options.scale);
  return billingWorld(stage, { partners: 1000, licensesEach, movedEach: Math.ceil(licensesEach * 0.015) });
}

async function computeAndStore(stage: Stage): Promise<Measured> {
  const url = await onePartner(stage);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const amounts = new Set<string>();
  try {
    await pool.query(`set work_mem = '256MB'`);
    const stored = async () => {
      const { rows } = await pool.query<{ sum: string }>(
        `select count(*) || ' parts, ' || sum(amount_cents) || ' cents, ' || sum(days) || ' days, '
                || sum(cardinality(event_ids)) || ' events' as sum from billing.statement_parts`,
      );
      amounts.add(rows[0]!.sum);
    };
    const ours = async () => {
      await forgetStatements(pool);
      const { seconds } = await recompute(stage, url);
      await stored();
      return seconds;
    };
    const theirs = async () => {
      await forgetStatements(pool);
      const seconds = await secondsFor(() => pool.query(COMPUTE_AND_STORE));
      await stored();
      return seconds;
    };
    const measured = await compare(stage.options.rounds, ours, theirs);
    if (amounts.size !== 1) throw new Error(`the two do not store the same: ${[...amounts].join(' and ')}`);
    return measured;
  } finally {
    await pool.end();
  }
}

async function memory(stage: Stage): Promise<Measured> {
  const url = await onePartner(stage);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    return await repeat(stage.options.rounds, async () => {
      await forgetStatements(pool);
      return (await recompute(stage, url)).peakMb;
    });
  } finally {
    await pool.end();
  }
}

function recompute(stage: Stage, url: string) {
  const args = ['usage', 'recompute', '--period', MONTH, '--partner', idOfPartner(1)];
  return staffCommand(stage.options.root, url, args);
}

const secondsFor = async (work: () => Promise<unknown>) => (await timed(work)) / 1000;
