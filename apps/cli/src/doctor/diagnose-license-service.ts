import { createMigrationDataSource } from '#database/data-source';
import { checkKeygenEditions, keygenOptions, type KeygenOptions } from '#libs/licensing';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, ok, reason, type Finding } from './finding.js';

const SERVICE = 'license service';
const EDITIONS = 'editions map';

/** Two checks: does the license service answer, and can every edition be sold? */
export async function diagnoseLicenseService(settings: BothSidesSettings): Promise<Finding[]> {
  const keygen = keygenOptions(settings);
  return keygen ? diagnoseKeygen(keygen) : diagnoseLocal(settings);
}

async function diagnoseKeygen(options: KeygenOptions): Promise<Finding[]> {
  try {
    const checks = await checkKeygenEditions(options);
    const service = ok(SERVICE, `Keygen at ${new URL(options.origin).host}`);
    const problems = checks.filter(({ problem }) => problem !== null);
    if (problems.length === 0) return [service, ok(EDITIONS, checks.map(({ edition }) => edition).join(', '))];
    const detail = problems.map(({ edition, problem }) => `${edition}: ${problem}`).join('; ');
    return [service, failed(EDITIONS, detail, 'correct EDITIONS, or the policy in Keygen (no duration)')];
  } catch (error) {
    const what = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const cure = 'check KEYGEN_HOST, KEYGEN_ACCOUNT_ID and KEYGEN_TOKEN';
    return [
      failed(SERVICE, `Keygen at ${new URL(options.origin).host}: ${reason(what)}`, cure),
      failed(EDITIONS, 'unknown without Keygen', cure),
    ];
  }
}

/** Editions that were sold but are no longer configured cannot be issued or switched to. */
async function diagnoseLocal(settings: BothSidesSettings): Promise<Finding[]> {
  const configured = settings.EDITIONS.map(({ edition }) => edition);
  const dataSource = createMigrationDataSource(settings.DATABASE_URL);
  try {
    await dataSource.initialize();
    const dropped = await dataSource.query<{ edition: string }[]>(
      `select p.edition from license_service.policies p
        where p.edition <> all ($1::text[])
          and exists (select from license_service.licenses l where l.policy_id = p.id and l.revoked_at is null)
        order by p.edition`,
      [configured],
    );
    const map = ok(EDITIONS, configured.join(', '));
    if (dropped.length === 0) return [ok(SERVICE, 'built in'), map];
    const names = dropped.map(({ edition }) => edition).join(', ');
    return [
      ok(SERVICE, 'built in'),
      failed(EDITIONS, `licenses have editions that are not sold: ${names}`, 'add them to EDITIONS'),
    ];
  } catch (error) {
    const cure = 'start PostgreSQL and run `cli migrate`';
    return [
      failed(SERVICE, `built in: ${reason(error)}`, cure),
      failed(EDITIONS, 'unknown without the database', cure),
    ];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}
