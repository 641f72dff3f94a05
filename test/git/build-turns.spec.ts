import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import type { Uuid } from '#kernel/crypto/uuid';
import { DatabaseModule } from '#platform/database/database.module';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { SqlBuildTurns } from '../../libs/services/src/infrastructure/git/sql/sql-build-turns.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const FOR_EVER = new AbortController().signal;

describe('builds of two workers', () => {
  let database: TestDatabase;
  const apps: INestApplicationContext[] = [];
  let workers: readonly SqlBuildTurns[];
  let sql: TypeOrmTransactions;

  beforeAll(async () => {
    database = await createTestDatabase();
    for (const applicationName of ['one', 'two']) {
      const options = { poolSize: 3, applicationName, entities, migrations, url: database.url };
      apps.push(await NestFactory.createApplicationContext(DatabaseModule.forRoot(options), { logger: false }));
    }
    sql = apps[0]!.get(TypeOrmTransactions);
    workers = apps.map((app) => new SqlBuildTurns(app.get(TypeOrmTransactions)));
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database.drop();
  });

  const write = (text: string, values: readonly unknown[]) => sql.run(() => sql.writer.query(text, [...values]));

  async function aDeployment(): Promise<Uuid> {
    const [service, deployment] = [randomUUID(), randomUUID()];
    await write(
      `insert into services.services (id, name, deployment_type, status, desired_state, cpu_cores, memory_mb, disk_mb,
         spec_version, created_at, updated_at)
       values ($1, $2, 'git', 'deploying', 'running', 1, 64, 64, 1, now(), now())`,
      [service, service],
    );
    await write(
      `insert into services.deployments (id, service_id, trigger, status, spec_version, created_at)
       values ($1, $2, 'git', 'running', 1, now())`,
      [deployment, service],
    );
    return deployment as Uuid;
  }

  it('run one at a time, in the order in which they came, and tell the place', async () => {
    const order: number[] = [];
    const places: Record<number, number[]> = {};
    let running = 0;
    const work = (number: number) => async () => {
      running += 1;
      expect(running).toBe(1);
      order.push(number);
      await sleep(60);
      running -= 1;
    };
    const all: Promise<void>[] = [];
    for (const number of [0, 1, 2, 3]) {
      places[number] = [];
      const id = await aDeployment();
      const tell = (before: number) => places[number]!.push(before);
      all.push(workers[number % 2]!.inTurn(id, tell, FOR_EVER, work(number)));
      await sleep(30);
    }
    await Promise.all(all);
    expect(order).toEqual([0, 1, 2, 3]);
    expect(places[3]![0]).toBeGreaterThan(0);
  });

  it('do not wait for a worker that is dead, nor for somebody who gave up', async () => {
    const dead = await aDeployment();
    await write(
      `insert into services.build_queue (deployment_id, lease_expires_at) values ($1, now() - interval '1 s')`,
      [dead],
    );
    const [first, given, last] = [await aDeployment(), await aDeployment(), await aDeployment()];
    let end: () => void = () => undefined;
    const held = workers[0]!.inTurn(
      first,
      () => undefined,
      FOR_EVER,
      () => new Promise<void>((done) => (end = done)),
    );
    await sleep(100);
    const cancelled = new AbortController();
    const gone = workers[1]!.inTurn(
      given,
      () => undefined,
      cancelled.signal,
      () => Promise.resolve(),
    );
    await sleep(50);
    const waiting = workers[1]!.inTurn(
      last,
      () => undefined,
      FOR_EVER,
      () => Promise.resolve('built'),
    );
    cancelled.abort(new Error('cancelled'));
    await expect(gone).rejects.toThrow('cancelled');
    end();
    await held;
    expect(await waiting).toBe('built');
    // It was redelivered: its place is still the first, and its row goes with it.
    expect(
      await workers[0]!.inTurn(
        dead,
        () => undefined,
        FOR_EVER,
        () => Promise.resolve('again'),
      ),
    ).toBe('again');
    const left = await sql.reader.query('select 1 from services.build_queue');
    expect(left).toEqual([]);
  });
});
