import { createLocalJWKSet, compactVerify } from 'jose';
import { DataSource } from 'typeorm';
import { Unavailable } from '#kernel/errors';
import { LicenseService, LicenseValidation } from '#libs/licensing';
import { KeyRing } from '#platform/key-ring';
import { SigningKeys } from '../../libs/licensing/src/infrastructure/license-service/local/signing-keys.js';
import { newId, order } from '../contract/license-service/license-service.contract.js';
import { FixedClock } from '../support/fixed-clock.js';
import { newKeyRing, newSecretsKeys, startLocalLicenseService } from '../support/licensing/license-service.js';

describe('signed states', () => {
  const clock = new FixedClock('2026-05-01T08:30:00.000Z');
  const oldSecret = newSecretsKeys('k0');
  let running: Awaited<ReturnType<typeof startLocalLicenseService>>;
  let validation: LicenseValidation;

  beforeAll(async () => {
    running = await startLocalLicenseService({ clock, ring: KeyRing.parse(oldSecret) });
    validation = running.app.get(LicenseValidation);
  });
  afterAll(() => running?.close());

  const issue = async (expiresAt: Date | null = null) =>
    (await running.app.get(LicenseService).issue(order(newId(), { expiresAt }))).reveal();

  const verified = async (document: string) => {
    const keys = createLocalJWKSet({ keys: (await validation.publicKeys()).map((key) => ({ ...key })) });
    const { payload, protectedHeader } = await compactVerify(document, keys);
    return { header: protectedHeader, payload: JSON.parse(Buffer.from(payload).toString()) };
  };

  it('can be checked with the published key alone and say what the answer said', async () => {
    const state = await validation.validate(await issue());
    const { header, payload } = await verified(state.document);
    expect(header).toEqual({ alg: 'EdDSA', kid: (await validation.publicKeys())[0]?.kid, typ: 'license-state+json' });
    expect(payload).toEqual({
      code: 'VALID',
      edition: 'power-user',
      expiresAt: null,
      issuedAt: '2026-05-01T08:30:00.000Z',
      keyHash: state.keyHash,
      validUntil: '2026-05-02T08:30:00.000Z',
    });
  });

  it('are refused when a letter of them is changed', async () => {
    const { document } = await validation.validate(await issue());
    const [header, payload, signature] = document.split('.');
    const forged = Buffer.from(payload!, 'base64url').toString().replace('power-user', 'web-admin!');
    const cut = `${header}.${Buffer.from(forged).toString('base64url')}.${signature}`;
    await expect(verified(cut)).rejects.toThrow('signature verification failed');
  });

  it('are not relied on beyond the expiry of the license', async () => {
    const end = new Date('2026-05-01T09:00:00.000Z');
    expect(await validation.validate(await issue(end))).toMatchObject({ code: 'VALID', validUntil: end });
  });

  it('outlive a rotation: the new key signs, the one before is still published', async () => {
    const key = await issue();
    const before = await validation.validate(key);
    clock.advance(1_000);
    await running.app.get(SigningKeys).rotate();
    const after = await validation.validate(key);
    const published = await validation.publicKeys();
    expect(published).toHaveLength(2);
    expect((await verified(before.document)).header.kid).toBe(published[1]?.kid);
    expect((await verified(after.document)).header.kid).toBe(published[0]?.kid);
  });

  it('are signed with one first key, also when two processes need it at once', async () => {
    const first = await startLocalLicenseService({ clock });
    const second = await startLocalLicenseService({ clock, database: first.database });
    try {
      const keys = [first, second].map(({ app }) => app.get(LicenseValidation).publicKeys());
      const [one, other] = await Promise.allSettled(keys);
      const rows: unknown[] = await first.app.get(DataSource).query('select id from license_service.signing_keys');
      expect(rows).toHaveLength(1);
      // Two rings: only the process that sealed the key can open it. The other one says so and makes no second key.
      expect([one?.status, other?.status].sort()).toEqual(['fulfilled', 'rejected']);
    } finally {
      await second.close();
      await first.close();
    }
  });

  it('are sealed again with the newest secret, after which the old one may go', async () => {
    const newSecret = newSecretsKeys('k1');
    const both = await startLocalLicenseService({
      clock,
      database: running.database,
      ring: KeyRing.parse(`${newSecret},${oldSecret}`),
    });
    const total = (await validation.publicKeys()).length;
    expect(await both.app.get(SigningKeys).reseal()).toEqual({ resealed: total, upToDate: 0 });
    expect(await both.app.get(SigningKeys).reseal()).toEqual({ resealed: 0, upToDate: total });
    await both.close();
    const onlyNew = await startLocalLicenseService({
      clock,
      database: running.database,
      ring: KeyRing.parse(newSecret),
    });
    expect((await onlyNew.app.get(LicenseValidation).validate('x')).document).toContain('.');
    await onlyNew.close();
  });

  it('cannot be had from a process whose secrets are others', async () => {
    const stranger = await startLocalLicenseService({ clock, database: running.database, ring: newKeyRing() });
    await expect(stranger.app.get(LicenseValidation).validate('x')).rejects.toThrow(Unavailable);
    await stranger.close();
  });

  it('keep their private key sealed', async () => {
    const rows: { sealed_private_key: Buffer; public_key: Buffer }[] = await running.app
      .get(DataSource)
      .query('select sealed_private_key, public_key from license_service.signing_keys');
    const pkcs8Ed25519 = Buffer.from('302e020100300506032b6570', 'hex');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.sealed_private_key.includes(pkcs8Ed25519)).toBe(false);
  });
});
