import { randomUUID } from 'node:crypto';
import { LicenseReconciliation } from '#libs/licensing';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import type { Uuid } from '#kernel/crypto/uuid';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { aCustomer } from '../support/builders/a-world.js';
import { startLicensingApi, type LicensingApi } from '../support/licensing-api.js';
import { lookAgain } from '../support/look-again.js';
import { expectOneTruth } from '../support/one-truth.js';

/** No process has this number: those that live draw theirs below it. */
const DEAD = 2 ** 31 - 1;

/** Over a license service elsewhere a key may exist before its license does: the note of that is made in advance. */
describe('spare reservations', () => {
  let api: LicensingApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await startLicensingApi();
    seller = await aSeller(api);
  });

  afterAll(() => api.close());

  const reconcile = () => api.app.get(LicenseReconciliation, { strict: false }).reconcile();
  const processOf = ({ app }: LicensingApi) => app.get(ProcessPresence, { strict: false });

  const issue = (body: object = {}) => {
    const { customerId, contractId, client } = seller;
    return client.post('/v1/licenses', { customerId, contractId, edition: 'web-host', ...body });
  };

  /** An answer that waits for its key until it is released. */
  async function issueThatWaits(body: object = {}) {
    const release = api.service.hold();
    const { length } = api.service.calls;
    const answer = issue(body);
    for (let waited = 0; api.service.calls.length === length; waited += 10) await lookAgain(waited);
    return { release, answer, upstreamLicenseId: api.service.calls.at(-1)!.upstreamLicenseId };
  }

  async function reserve(process: number, count = 1, reservedAt = new Date()): Promise<Uuid[]> {
    const ids = Array.from({ length: count }, () => randomUUID() as Uuid);
    await api.sql(
      `insert into licensing.reservations (license_id, attempt_id, upstream_license_id, reserved_at, process)
       select id, id, id, $2, $3 from unnest($1::uuid[]) as id`,
      [ids, reservedAt, process],
    );
    return ids;
  }

  const among = async (ids: readonly string[], condition: string) =>
    (await api.sql(`select 1 from licensing.reservations where upstream_license_id = any($1) and ${condition}`, [ids]))
      .length;
  const left = (ids: readonly string[]) => among(ids, 'undone_at is null');

  async function keyAt(upstreamLicenseId: Uuid): Promise<void> {
    const { partner, customerId, contractId } = seller;
    const owner = { partnerId: partner.id, customerId: customerId as Uuid, contractId: contractId as Uuid };
    const order = { upstreamLicenseId, edition: 'web-host', expiresAt: null };
    await api.service.issue({ ...order, metadata: { ...owner, sequence: 1 } });
  }

  it('become licenses, each one once', async () => {
    const issued = await Promise.all(Array.from({ length: 40 }, () => aLicense(seller)));
    expect(new Set(issued.map(({ id }) => id)).size).toBe(40);
    expect(await left(issued.map(({ upstreamLicenseId }) => upstreamLicenseId))).toBe(0);
    await expectOneTruth(api);
  });

  it('are not taken, and no key is asked for, by a request that is refused', async () => {
    await aLicense(seller);
    const { length } = api.service.calls;
    const stranger = await aSeller(api);
    expect((await issue({ customerId: stranger.customerId })).status).toBe(404);
    expect((await issue({ contractId: stranger.contractId })).status).toBe(404);
    expect((await issue({ edition: 'web-nothing' })).status).toBe(422);
    expect(api.service.calls).toHaveLength(length);
  });

  it('leave no license and no key to a customer that was deleted while the key was made', async () => {
    const { id: customerId } = await aCustomer(api.app, seller.partner.id);
    const { release, answer } = await issueThatWaits({ customerId });
    expect((await seller.client.delete(`/v1/customers/${customerId}`)).status).toBe(204);
    release();
    expect((await answer).status).toBe(404);
    expect(await api.sql('select 1 from licensing.licenses where customer_id = $1', [customerId])).toEqual([]);
    await expectOneTruth(api);
  });

  it('make no license once they were taken away while the key was made', async () => {
    const { release, answer, upstreamLicenseId } = await issueThatWaits();
    await api.sql(
      `update licensing.reservations set attempt_id = gen_random_uuid(), process = null where upstream_license_id = $1`,
      [upstreamLicenseId],
    );
    release();
    expect((await answer).status).toBe(503);
    expect(api.service.records.has(upstreamLicenseId)).toBe(false);
    await reconcile();
    await expectOneTruth(api);
  });

  it('of a process that died are undone, with a key if there is one', async () => {
    const [used, unused] = await reserve(DEAD, 2);
    await keyAt(used!);
    await reconcile();
    expect(await left([used!, unused!])).toBe(0);
    expect(api.service.records.has(used!)).toBe(false);
  });

  it('of a process that died stay while the license service does not answer', async () => {
    const [id] = await reserve(DEAD);
    await keyAt(id!);
    api.service.failNext('revoke', 'before');
    await reconcile();
    expect(await left([id!])).toBe(1);
    await reconcile();
    expect(await left([id!])).toBe(0);
    expect(api.service.records.has(id!)).toBe(false);
  });

  it('of a process that died are looked at once more: its last call may have arrived after it', async () => {
    const [id] = await reserve(DEAD);
    await reconcile();
    await keyAt(id!);
    await reconcile();
    expect(api.service.records.has(id!)).toBe(true);
    await api.sql(`update licensing.reservations set undone_at = undone_at - interval '61 seconds'`);
    await reconcile();
    expect(api.service.records.has(id!)).toBe(false);
    expect(await among([id!], 'true')).toBe(0);
  });

  it('of a process that lives are left alone, and hide no other behind them', async () => {
    const own = await reserve(processOf(api).id, 150, new Date(0));
    const [dead] = await reserve(DEAD);
    await reconcile();
    expect([await left(own), await left([dead!])]).toEqual([150, 0]);
    await api.sql('delete from licensing.reservations where license_id = any($1)', [own]);
  });

  it('are not used any more once their process was taken for dead', async () => {
    await aLicense(seller);
    const presence = processOf(api);
    const before = await api.sql<{ id: string }>(
      'select upstream_license_id as id from licensing.reservations where process = $1',
      [presence.id],
    );
    expect(before).not.toEqual([]);
    const { appearance } = presence;
    await api.sql(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1`, [
      presence.id,
    ]);
    // Once for the loss, once for the new connection.
    for (let waited = 0; presence.appearance < appearance + 2; waited += 10) await lookAgain(waited);
    const { upstreamLicenseId } = await aLicense(seller);
    const ids = before.map(({ id }) => id);
    expect(ids).not.toContain(upstreamLicenseId);
    for (let waited = 0; (await left(ids)) > 0; waited += 10) {
      await reconcile();
      await lookAgain(waited);
    }
    await expectOneTruth(api);
  });

  it('are gone when their process ends', async () => {
    const other = await startLicensingApi({ database: api.database, service: api.service });
    const { id } = processOf(other);
    await aLicense({ ...seller, client: other.as(seller.partner.writeToken) });
    const own = () => api.sql('select 1 from licensing.reservations where process = $1', [id]);
    expect(await own()).not.toEqual([]);
    await other.close();
    expect(await own()).toEqual([]);
  });
});
