import { Global, Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import { CustomersModule, LicenseCensus } from '#libs/customers';
import type { Uuid } from '#kernel/crypto/uuid';
import { ClockModule } from '#platform/clock.module';
import { DatabaseModule } from '#platform/database/database.module';
import { createTestDatabase } from '../support/test-database.js';

/** Stands in for licensing: the customers in `live` have a license that is neither terminated nor expired. */
export class KnownLicenses extends LicenseCensus {
  readonly live = new Set<Uuid>();

  hasLiveLicenses(customerId: Uuid): Promise<boolean> {
    return Promise.resolve(this.live.has(customerId));
  }
}

export interface CustomersApplication {
  readonly app: INestApplicationContext;
  readonly licenses: KnownLicenses;
  /** A connection of the application's own role, beside the application. */
  readonly sql: pg.Pool;
  close(): Promise<void>;
}

/** The customers context alone over a database of its own. */
export async function startCustomers(): Promise<CustomersApplication> {
  const database = await createTestDatabase();
  const licenses = new KnownLicenses();
  const options = { url: database.url, poolSize: 10, applicationName: 'test', entities, migrations };
  @Global()
  @Module({ providers: [{ provide: LicenseCensus, useValue: licenses }], exports: [LicenseCensus] })
  class CensusModule {}
  @Module({ imports: [ClockModule.forRoot(), DatabaseModule.forRoot(options), CensusModule, CustomersModule] })
  class TestModule {}
  const app = await NestFactory.createApplicationContext(TestModule, { logger: false });
  const sql = new pg.Pool({ connectionString: database.url, max: 4 });
  const close = async () => {
    await sql.end();
    await app.close();
    await database.drop();
  };
  return { app, licenses, sql, close };
}

/** A promise that is resolved from outside, to hold a transaction open at a chosen point. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Waits until somebody waits for a lock in the database, so that a race is a fact and not a hope. */
export async function untilSomebodyWaits(sql: pg.Pool, count = 1): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const { rows } = await sql.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows[0].n >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`nobody waits for a lock (expected ${count})`);
}
