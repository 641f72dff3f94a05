import { createMigrationDataSource } from '#database/data-source';
import { Migrator } from '#platform/database/migrations/migrator';
import { askQueue } from '#platform/queue/ask-queue';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { diagnoseAiProvider } from './diagnose-ai-provider.js';
import { diagnoseIdentityProvider } from './diagnose-identity-provider.js';
import { diagnoseIngress } from './diagnose-ingress.js';
import { diagnoseKeyRing } from './diagnose-key-ring.js';
import { diagnoseLicenseService } from './diagnose-license-service.js';
import { diagnoseRuntime } from './diagnose-runtime.js';
import { failed, ok, reason, type Finding } from './finding.js';

/** Runs every check once. A failing part fails only its own check. */
export async function diagnose(settings: BothSidesSettings): Promise<Finding[]> {
  return [
    ...(await diagnoseDatabase(settings)),
    await diagnoseQueue(settings),
    await diagnoseKeyRing(settings),
    ...(await diagnoseLicenseService(settings)),
    ...(await diagnoseRuntime(settings)),
    await diagnoseIdentityProvider(settings),
    await diagnoseIngress(settings),
    await diagnoseAiProvider(settings),
  ];
}

async function diagnoseDatabase(settings: BothSidesSettings): Promise<Finding[]> {
  const dataSource = createMigrationDataSource(settings.DATABASE_URL);
  try {
    await dataSource.initialize();
    const [row] = await dataSource.query<[{ server_version: string }]>('show server_version');
    const pending = await new Migrator(dataSource).pending();
    return [
      ok('database', `PostgreSQL ${row.server_version}`),
      pending.length === 0
        ? ok('migrations', 'up to date')
        : failed('migrations', `${pending.length} pending: ${pending.join(', ')}`, 'run `cli migrate`'),
    ];
  } catch (error) {
    const cure = 'start PostgreSQL, or correct DATABASE_URL';
    return [failed('database', reason(error), cure), failed('migrations', 'unknown without the database', cure)];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

async function diagnoseQueue(settings: BothSidesSettings): Promise<Finding> {
  const backend = settings.REDIS_URL ? 'Redis' : 'PostgreSQL';
  try {
    await askQueue({ databaseUrl: settings.DATABASE_URL, redisUrl: settings.REDIS_URL, poolSize: 1 });
    return ok('queue', `BullMQ on ${backend}`);
  } catch (error) {
    const cure = settings.REDIS_URL ? 'start Redis, or correct REDIS_URL' : 'run `cli migrate`';
    return failed('queue', `BullMQ on ${backend}: ${reason(error)}`, cure);
  }
}
