import { DataSource } from 'typeorm';
import { UpstreamSync } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { KeyRing } from '#platform/key-ring';
import { SqlKeptKeys } from '../../libs/licensing/src/infrastructure/license-service/sql-kept-keys.js';
import { newId } from '../contract/license-service/license-service.contract.js';
import { aToken } from '../support/builders/a-partner.js';
import { licenseLine, ownerLines } from '../support/builders/import-lines.js';
import { databaseDump } from '../support/database-dump.js';
import { FixedClock } from '../support/fixed-clock.js';
import { importLines, importProblems } from '../support/licensing/import-file.js';
import { KeygenStub } from '../support/licensing/keygen-stub.js';
import { newSecretsKeys } from '../support/licensing/license-service.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

describe('licenses imported with Keygen as license service', () => {
  const WEB_HOST = newId();
  const secretsKeys = newSecretsKeys();
  const clock = new FixedClock('2025-06-15T12:00:00Z');
  const stub = new KeygenStub([WEB_HOST]);
  let api: RunningPartnerApi;

  beforeAll(async () => {
    await stub.start();
    api = await startPartnerApi({
      clock,
      settings: {
        LICENSE_SERVICE: 'keygen',
        KEYGEN_HOST: stub.origin,
        KEYGEN_ACCOUNT_ID: stub.accountId,
        KEYGEN_TOKEN: stub.token,
        EDITIONS: `web-host=${WEB_HOST}`,
        SECRETS_KEYS: secretsKeys,
      },
    });
    await importLines(api.app, ownerLines('a'));
  });

  afterAll(async () => {
    await api.close();
    await stub.stop();
  });

  const sql = (text: string, values: unknown[] = []): Promise<any[]> => api.app.get(DataSource).query(text, values);
  const kept = () => sql('select license_id from licensing.kept_keys');

  async function sync(): Promise<void> {
    clock.advance(3_600_000);
    await api.app.get(UpstreamSync, { strict: false }).syncDue();
  }

  async function imported(ref: string): Promise<{ id: Uuid; upstream: string; partnerId: Uuid }> {
    const [license] = await sql(
      `select l.id, l.upstream_license_id as upstream, l.partner_id as "partnerId" from licensing.licenses l
         join licensing.imported_lines m on m.record_id = l.id where m.type = 'license' and m.ref = $1`,
      [ref],
    );
    return license;
  }

  it('get a record with the key that their owner already has', async () => {
    const key = 'LEGACY-KEY-QZWX-ABCDEF';
    await importLines(api.app, [licenseLine('keyed', { key, state: 'suspended', suspendedAt: '2024-04-01' })]);
    expect(await kept()).toHaveLength(1);
    expect(await databaseDump(api.database.url)).not.toContain('QZWX');
    const { upstream } = await imported('keyed');
    expect(stub.licenses.has(upstream)).toBe(false);
    await sync();
    expect(stub.licenses.get(upstream)).toMatchObject({ key, policyId: WEB_HOST, suspended: true });
    expect(await kept()).toEqual([]);
    expect(api.logs()).not.toContain('QZWX');
  });

  it('keep the key until Keygen has accepted it', async () => {
    const key = 'LEGACY-KEY-4712-ABCDEF';
    await importLines(api.app, [licenseLine('refused', { key })]);
    const { upstream } = await imported('refused');
    stub.failNext(/^POST licenses$/, { kind: 'answer', acts: false, status: 403, body: '{"errors":[]}' });
    await sync();
    expect([stub.licenses.has(upstream), (await kept()).length]).toEqual([false, 1]);
    await sync();
    expect([stub.licenses.get(upstream)?.key, (await kept()).length]).toEqual([key, 0]);
    expect(api.logs()).not.toContain('4712');
  });

  it('can be changed as soon as Keygen has them, even after a failed attempt', async () => {
    await importLines(api.app, [licenseLine('early', { key: 'LEGACY-KEY-4713-ABCDEF' })]);
    const { id, upstream, partnerId } = await imported('early');
    const client = api.as(await aToken(api.app, partnerId, 'write'));
    expect((await client.post(`/v1/licenses/${id}/suspend`)).status).toBe(503);
    await sync();
    expect((await client.post(`/v1/licenses/${id}/suspend`)).body.state).toBe('suspended');
    expect(stub.licenses.get(upstream)).toMatchObject({ key: 'LEGACY-KEY-4713-ABCDEF', suspended: true });
  });

  it('need a record or a key, unless they are terminated', async () => {
    const upstreamLicenseId = newId();
    const ended = { state: 'terminated', terminatedAt: '2024-04-01' };
    await importLines(api.app, [
      licenseLine('named', { upstreamLicenseId, key: 'LEGACY-KEY-4714-ABCDEF' }),
      licenseLine('over', { ...ended, key: 'LEGACY-KEY-4715-ABCDEF' }),
    ]);
    expect(await kept()).toEqual([]);
    expect((await imported('named')).upstream).toBe(upstreamLicenseId);
    expect(await importProblems(api.app, [licenseLine('neither')])).toEqual([
      "line 7: upstreamLicenseId or key is required: this installation's license service keeps the records",
    ]);
  });

  it('have their stored keys resealed with a newer secret', async () => {
    await importLines(api.app, [licenseLine('sealed', { key: 'LEGACY-KEY-4716-ABCDEF' })]);
    const { id } = await imported('sealed');
    const newer = newSecretsKeys('newer');
    const transactions = api.app.get(TypeOrmTransactions, { strict: false });
    const both = new SqlKeptKeys(transactions, KeyRing.parse(`${newer},${secretsKeys}`));
    expect(await both.reseal()).toEqual({ resealed: 1, upToDate: 0 });
    expect(await both.reseal()).toEqual({ resealed: 0, upToDate: 1 });
    const later = new SqlKeptKeys(transactions, KeyRing.parse(newer));
    expect((await later.find(id))?.reveal()).toBe('LEGACY-KEY-4716-ABCDEF');
  });
});
