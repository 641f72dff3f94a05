import { LedgerVerification } from '#libs/licensing';
import type { LicensingApi } from './licensing-api.js';

/**
 * Expects a consistent state: no pending changes or open reservations, intact ledger chains, and the same licenses in
 * our database and at the license service.
 */
export async function expectOneTruth(api: LicensingApi): Promise<void> {
  expect(await api.sql('select 1 from licensing.pending_changes')).toEqual([]);
  expect(await api.sql('select 1 from licensing.reservations where undone_at is null')).toEqual([]);
  expect((await api.app.get(LedgerVerification, { strict: false }).verify(null)).broken).toBeNull();
  const licenses = await api.sql<{ upstream_license_id: string; state: string; edition: string }>(
    `select upstream_license_id, state, edition from licensing.licenses where state <> 'terminated'`,
  );
  const known = [...api.service.records].map(([id, { suspended, edition }]) => ({ id, suspended, edition }));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(known.sort(byId)).toEqual(
    licenses
      .map(({ upstream_license_id: id, state, edition }) => ({ id, suspended: state === 'suspended', edition }))
      .sort(byId),
  );
}
