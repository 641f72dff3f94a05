import { DataSource } from 'typeorm';
import { chain, headOf } from '../../libs/licensing/src/domain/ledger-chain.js';
import type { LedgerFact } from '../../libs/licensing/src/domain/ledger-event.js';
import type { LicenseRecord } from '../../libs/licensing/src/domain/license.js';
import { WRITE } from '../../libs/licensing/src/infrastructure/writing/change-statement.js';
import { GroupCommit } from '../../libs/licensing/src/infrastructure/writing/group-commit.js';
import { SqlLicenseRepository } from '../../libs/licensing/src/infrastructure/sql-license-repository.js';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import { HotReader } from '#platform/database/batching/hot-reader';
import { PipelinedConnection } from '#platform/database/batching/pipelined-connection';
import { PageConnections } from '#platform/database/connections/page-connections';
import { dataSourceOptions } from '#platform/database/database.module';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { compare } from '../lib/rounds.js';
import type { Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';
import { provideRawTables } from '../seed/raw-tables.js';
import { sampleActiveLicenses } from '../seed/samples.js';

const WRITERS = 16;

/** Appends one entry to the chain of a license and moves its head in the same statement, as calls on licenses do. */
export const ledgerAppend: Row = {
  number: '16',
  work: 'ledger entry with hash chain, 16 writers',
  unit: 'tx/s',
  baseline: 'one plain insert per transaction',
  better: 'higher',
  floor: 0.5,
  ambitious: 0.9,
  async run(stage) {
    await stage.fill();
    await provideRawTables(stage.pool);
    const { databaseUrl, seconds, rounds } = stage.options;
    const options = { url: databaseUrl, poolSize: WRITERS, applicationName: 'bench', entities: [], migrations: [] };
    const source = await new DataSource(dataSourceOptions(options)).initialize();
    const transactions = new TypeOrmTransactions(source);
    const groups = new GroupCommit(source);
    try {
      const append = await appender(stage, source, transactions, groups);
      const insert = async () => {
        await stage.pool.query({ name: 'plain', text: PLAIN, values: [PLAIN_LICENSE, 'license.suspended'] });
      };
      return await compare(
        rounds,
        () => perSecond(seconds, append),
        () => perSecond(seconds, insert),
      );
    } finally {
      await groups.onApplicationShutdown();
      await source.destroy();
    }
  },
};

const PLAIN = 'insert into bench.raw_events (license_id, event, at) values ($1, $2, now())';
const PLAIN_LICENSE = '00000000-0000-4000-8000-000000000000';

/** Each concurrent call appends to its own license. */
async function appender(
  stage: Stage,
  source: DataSource,
  transactions: TypeOrmTransactions,
  groups: GroupCommit,
): Promise<(writer: number) => Promise<void>> {
  const repository = new SqlLicenseRepository(
    transactions,
    new ProcessPresence(source, transactions),
    new HotReader(source, new PipelinedConnection(source), new PageConnections(source)),
  );
  const samples = await sampleActiveLicenses(stage.pool, WRITERS);
  const records: LicenseRecord[] = [];
  for (const { id } of samples) records.push((await repository.find(id as LicenseRecord['id']))!);
  return async (writer) => {
    const before = records[writer]!;
    const entries = chain(before.id, before.ledger, [fact(before)]);
    const after = { ...before, ledger: headOf(before.ledger, entries) };
    const change = { before, after, entries, ownership: null };
    const part = { statement: WRITE, question: change, refusal: null };
    if (!(await groups.commit({ locksTree: false, parts: [part], facts: null })))
      throw new Error('nothing was written');
    records[writer] = after;
  };
}

function fact({ partnerId, customerId, edition }: LicenseRecord): LedgerFact {
  const data = { from: edition, to: edition };
  return { event: 'license.edition_changed', at: new Date(), actor: partnerId, customerId, data };
}

async function perSecond(seconds: number, work: (writer: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (; performance.now() - startedAt < seconds * 1000; done++) await work(writer);
  });
  await Promise.all(writers);
  return done / ((performance.now() - startedAt) / 1000);
}
