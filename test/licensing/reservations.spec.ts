import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Customers } from '#libs/customers';
import { LicenseReconciliation } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';
import { LicenseWriter } from '../../libs/licensing/src/application/ports/license-writer.js';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { aCustomer } from '../support/builders/a-world.js';
import { startLicensingApi, type LicensingApi } from '../support/licensing/licensing-api.js';
import { lookAgain } from '../support/look-again.js';
import { expectOneTruth } from '../support/licensing/one-truth.js';

/** No process has this number: live processes draw lower ones. */
const DEAD = 2 ** 31 - 1;

/** With a remote license service a key may exist before its license. A reservation records it. */
describe('reservations', () => {
  let api: LicensingApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await startLicensingApi();
    seller = await aSeller(api);
  });

  afterAll(() => api.close());

  const reconcile = () => api.app.get(LicenseReconciliation, { strict: false }).reconcile();

  const issue = (body: object = {}) => {
    const { customerId, contractId, client } = seller;
    return client.post('/v1/licenses', { customerId, contractId, edition: 'web-host', ...body });
  };

  /** A request whose key is held back until released. */
  async function issueThatWaits(body: object = {}) {
    const release = api.service.hold();
    const { length } = api.service.calls;
    const answer = issue(body);
    for (let waited = 0; api.service.calls.length === length; waited += 10) await lookAgain(waited);
    return { release, answer, upstreamLicenseId: api.service.calls.at(-1)!.upstreamLicenseId };
  }

  async function reserve(process: number, count = 1, reservedAt = new Date()): Promise<Uuid[]> {
    const ids = Array.from({ length: count }, () => randomUUID() as Uuid);
    const { partner, customerId, contractId } = seller;
    await api.sql(
      `insert into licensing.reservations
         (license_id, attempt_id, upstream_license_id, number, partner_id, customer_id, contract_id, edition, state,
          draws_from_pack, external_billing_ref, reserved_at, process)
       select id, id, id, nextval('licensing.license_numbers'), $4, $5, $6, 'web-host', 'active', false, '', $2, $3
         from unnest($1::uuid[]) as id`,
      [ids, reservedAt, process, partner.id, customerId, contractId],
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

  it('become one license each', async () => {
    const issued = await Promise.all(Array.from({ length: 40 }, () => aLicense(seller)));
    expect(new Set(issued.map(({ id }) => id)).size).toBe(40);
    expect(await left(issued.map(({ upstreamLicenseId }) => upstreamLicenseId))).toBe(0);
    await expectOneTruth(api);
  });

  it('are not created, and no key is requested, for a request that is refused', async () => {
    await aLicense(seller);
    const { length } = api.service.calls;
    const stranger = await aSeller(api);
    expect((await issue({ customerId: stranger.customerId })).status).toBe(404);
    expect((await issue({ contractId: stranger.contractId })).status).toBe(404);
    expect((await issue({ edition: 'web-nothing' })).status).toBe(422);
    expect(api.service.calls).toHaveLength(length);
  });

  it('prevent the deletion of their customer while the key is created', async () => {
    const { id: customerId } = await aCustomer(api.app, seller.partner.id);
    const { release, answer } = await issueThatWaits({ customerId });
    const deletion = await seller.client.delete(`/v1/customers/${customerId}`);
    release();
    expect([deletion.status, deletion.headers.get('x-error-reason')]).toEqual([409, 'customer-has-live-licenses']);
    expect((await answer).status).toBe(201);
    await expectOneTruth(api);
  });

  it('are not created for a customer that was deleted a moment before', async () => {
    const { id: customerId } = await aCustomer(api.app, seller.partner.id);
    const customers = api.app.get(Customers, { strict: false });
    const look = customers.lookForIssue.bind(customers);
    jest.spyOn(customers, 'lookForIssue').mockImplementationOnce(async (...asked) => {
      const found = await look(...asked);
      expect((await seller.client.delete(`/v1/customers/${customerId}`)).status).toBe(204);
      return found;
    });
    const { length } = api.service.calls;
    expect((await issue({ customerId })).status).toBe(404);
    expect(api.service.calls).toHaveLength(length);
    await expectOneTruth(api);
  });

  it('become no license if they were taken over while the key was created', async () => {
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

  it('of a dead process are undone together with their keys', async () => {
    const [used, unused] = await reserve(DEAD, 2);
    await keyAt(used!);
    await reconcile();
    expect(await left([used!, unused!])).toBe(0);
    expect(api.service.records.has(used!)).toBe(false);
  });

  it('of a dead process stay while the license service does not answer', async () => {
    const [id] = await reserve(DEAD);
    await keyAt(id!);
    api.service.failNext('revoke', 'before');
    await reconcile();
    expect(await left([id!])).toBe(1);
    await reconcile();
    expect(await left([id!])).toBe(0);
    expect(api.service.records.has(id!)).toBe(false);
  });

  it('of a dead process are undone once more, because its last call may have arrived late', async () => {
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

  it('of a live process are left alone, and do not hide abandoned ones', async () => {
    const living = new pg.Client({ connectionString: api.database.url });
    await living.connect();
    // The lock by which a process shows that it is alive (`ProcessPresence`).
    await living.query('select pg_advisory_lock(74021, 4711)');
    const own = await reserve(4711, 150, new Date(0));
    const [dead] = await reserve(DEAD);
    await reconcile();
    expect([await left(own), await left([dead!])]).toEqual([150, 0]);
    await living.end();
    await api.sql('delete from licensing.reservations where license_id = any($1)', [own]);
  });

  it('are undone by another process if their license cannot be written', async () => {
    const writer = api.app.get(LicenseWriter, { strict: false });
    jest.spyOn(writer, 'activate').mockRejectedValueOnce(new Error('the database went away'));
    expect((await issue()).status).toBe(500);
    const { upstreamLicenseId } = api.service.calls.at(-1)!;
    for (let waited = 0; (await among([upstreamLicenseId], 'process is null')) === 0; waited += 10)
      await lookAgain(waited);
    const other = await startLicensingApi({ database: api.database, service: api.service });
    await other.app.get(LicenseReconciliation, { strict: false }).reconcile();
    expect(await left([upstreamLicenseId])).toBe(0);
    await other.close();
    await expectOneTruth(api);
  });
});
