import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { PartnerRow } from '../../libs/partners/src/infrastructure/partner.row.js';
import { SqlPartnerTree } from '../../libs/partners/src/infrastructure/sql-partner-tree.js';
import { TypeOrmPartnerRepository } from '../../libs/partners/src/infrastructure/typeorm-partner-repository.js';
import { PartnerSubtree } from '#libs/partners';
import { createMigrationDataSource } from '#database/data-source';
import type { Uuid } from '#kernel/crypto/uuid';
import { dataSourceOptions } from '#platform/database/database.module';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { median, repeat, timed } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';

const PARTNERS = 100_000;
const DEPTH = 20;
const QUESTIONS = 500;
const CHANGES = 50;

interface Tree {
  readonly transactions: TypeOrmTransactions;
  readonly tree: SqlPartnerTree;
  readonly repository: TypeOrmPartnerRepository;
  readonly partners: readonly { id: Uuid; level: number }[];
}

/** A tree far larger and deeper than any known one, in its own database. */
export const partnerTreeRows: Row[] = [
  {
    number: '29a',
    work: '100,000 partners, depth 20: subtree question, root to leaf against leaf to itself',
    unit: 'ms',
    baseline: 'the same question at the smallest distance',
    better: 'lower',
    floor: 2,
    ambitious: 1.2,
    run: (stage) => onTree(stage, askQuestions),
  },
  {
    number: '29b',
    work: '100,000 partners, depth 20: new partner on the lowest level, p50',
    unit: 'ms',
    baseline: '-',
    better: 'lower',
    floor: 50,
    ambitious: 10,
    run: (stage) => onTree(stage, createLeaves),
  },
  {
    number: '29c',
    work: '100,000 partners, depth 20: move of a lowest partner, p50',
    unit: 'ms',
    baseline: '-',
    better: 'lower',
    floor: 100,
    ambitious: 20,
    run: (stage) => onTree(stage, moveLeaves),
  },
];

async function askQuestions({ tree, partners }: Tree, rounds: number): Promise<Measured> {
  const root = partners[0]!.id;
  const leaves = lowest(partners);
  const ask = async (near: boolean) => {
    const times: number[] = [];
    for (let i = 0; i < QUESTIONS; i++) {
      const leaf = leaves[i % leaves.length]!;
      times.push(await timed(() => tree.contains(PartnerSubtree.of(near ? leaf : root), leaf)));
    }
    return median(times);
  };
  const [far, near] = [await repeat(rounds, () => ask(false)), await repeat(rounds, () => ask(true))];
  return { ours: far.ours, baseline: near.ours, judged: far.ours / near.ours };
}

function createLeaves({ repository, transactions, partners }: Tree, rounds: number): Promise<Measured> {
  const parents = lowest(partners);
  const create = (parentId: Uuid) =>
    transactions.run(async () => {
      await repository.lockTree();
      const id = randomUUID() as Uuid;
      await repository.insert({ id, name: 'New', type: 'hoster', parentId, createdAt: new Date() });
    });
  return repeat(rounds, () => medianOf((i) => create(parents[i % parents.length]!)));
}

function moveLeaves({ repository, transactions, partners }: Tree, rounds: number): Promise<Measured> {
  const leaves = lowest(partners);
  const parents = partners.filter(({ level }) => level === DEPTH - 1).map(({ id }) => id);
  let turn = 0;
  const move = () =>
    transactions.run(async () => {
      await repository.lockTree();
      await repository.move(leaves[turn % leaves.length]!, parents[(turn * 7 + 1) % parents.length]!);
      turn++;
    });
  return repeat(rounds, () => medianOf(move));
}

/** Creates the tree in a new database, measures, and drops it. */
async function onTree(stage: Stage, ask: (tree: Tree, rounds: number) => Promise<Measured>): Promise<Measured> {
  const name = `bench_tree_${process.pid}`;
  await stage.pool.query(`create database ${name}`);
  const url = new URL(stage.options.databaseUrl);
  url.pathname = `/${name}`;
  try {
    const migrations = await createMigrationDataSource(url.href).initialize();
    await migrations.runMigrations({ transaction: 'each' });
    await migrations.destroy();
    const partners = await fill(url.href);
    const options = { url: url.href, poolSize: 2, applicationName: 'bench', entities: [PartnerRow], migrations: [] };
    const source = await new DataSource(dataSourceOptions(options)).initialize();
    const transactions = new TypeOrmTransactions(source);
    const repository = new TypeOrmPartnerRepository(transactions);
    const tree = { transactions, tree: new SqlPartnerTree(transactions), repository, partners };
    return await ask(tree, stage.options.rounds).finally(() => source.destroy());
  } finally {
    await stage.pool.query(`drop database ${name} with (force)`);
  }
}

/** One root; every level below it has the same number of partners. */
async function fill(connectionString: string): Promise<{ id: Uuid; level: number }[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const perLevel = Math.floor((PARTNERS - 1) / DEPTH);
    await client.query(
      `insert into partners.partners (id, name, type, parent_id, created_at)
       select md5('tree' || n)::uuid, 'Partner ' || n, 'reseller',
              case when n = 0 then null when n <= $2 then md5('tree0')::uuid
                   else md5('tree' || (n - $2))::uuid end, now()
         from generate_series(0, $1::int * $2::int) as n order by n`,
      [DEPTH, perLevel],
    );
    await client.query(
      `insert into partners.subtrees (ancestor_id, descendant_id, depth)
       with recursive pairs (ancestor_id, descendant_id, depth) as (
         select id, id, 0 from partners.partners
         union all
         select p.ancestor_id, c.id, p.depth + 1 from pairs p join partners.partners c on c.parent_id = p.descendant_id
       ) select * from pairs`,
    );
    await client.query('vacuum (analyze)');
    const { rows } = await client.query<{ id: Uuid; level: number }>(
      'select descendant_id as id, max(depth)::int as level from partners.subtrees group by 1 order by 2, 1',
    );
    return rows;
  } finally {
    await client.end();
  }
}

const lowest = (partners: Tree['partners']) => partners.filter(({ level }) => level === DEPTH).map(({ id }) => id);

async function medianOf(work: (index: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < CHANGES; i++) times.push(await timed(() => work(i)));
  return median(times);
}
