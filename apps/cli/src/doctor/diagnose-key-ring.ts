import { createMigrationDataSource } from '#database/data-source';
import { SEALED_KINDS } from '#database/sealed-kinds';
import { namesOf } from '#platform/sealed/key-ring-proof';
import { surveySealed } from '#platform/sealed/survey-sealed';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, off, ok, reason, type Finding } from './finding.js';

const RING = 'key ring';
const CURE =
  'restore the key ring in SECRETS_KEYS (older keys follow the newest); values that are permanently lost must be entered again: ' +
  'docs/operations.md, "The key ring"';

/** Decrypts one value of every kind. Nothing else proves that the key ring is the right one. */
export async function diagnoseKeyRing({ DATABASE_URL, SECRETS_KEYS: ring }: BothSidesSettings): Promise<Finding> {
  const dataSource = createMigrationDataSource(DATABASE_URL);
  try {
    await dataSource.initialize();
    const found = await surveySealed(dataSource, ring ?? null, SEALED_KINDS);
    const lost = found.filter(({ opens }) => !opens);
    if (lost.length > 0)
      return failed(RING, `${ring ? '' : 'SECRETS_KEYS is not set: '}cannot open ${namesOf(lost)}`, CURE);
    if (!ring) return off(RING, 'SECRETS_KEYS is not set, and nothing is sealed', 'set SECRETS_KEYS: see .env.example');
    return ok(RING, found.length === 0 ? 'nothing is sealed yet' : `opens ${namesOf(found)}`);
  } catch (error) {
    return failed(RING, `unknown without the database: ${reason(error)}`, 'start PostgreSQL and run `cli migrate`');
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}
