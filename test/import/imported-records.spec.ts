import { DataSource } from 'typeorm';
import { LedgerVerification, TrialExpiry, UpstreamSync } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';
import { aToken } from '../support/builders/a-partner.js';
import { contactLine, eventLine, licenseLine, ownerLines, transferLine } from '../support/builders/import-lines.js';
import { FixedClock } from '../support/fixed-clock.js';
import type { HttpClient } from '../support/http/http-client.js';
import { importLines } from '../support/licensing/import-file.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

const KEY = 'LEGACY-KEY-0815-QWERTZ';

describe('imported records', () => {
  let api: RunningPartnerApi;
  let root: HttpClient;
  let leaf: HttpClient;
  const clock = new FixedClock('2025-06-15T12:00:00Z');

  const idOf = async (type: string, ref: string): Promise<Uuid> => {
    const rows: { record_id: Uuid }[] = await api.app
      .get(DataSource)
      .query('select record_id from licensing.imported_lines where type = $1 and ref = $2', [type, ref]);
    return rows[0]!.record_id;
  };

  const activityOf = async (client: HttpClient, customer: string) => {
    const { body } = await client.get(`/v1/customers/${await idOf('customer', customer)}/activity`);
    return (body as { event: string; at: string; customerId: string | null; actor: string | null }[]).map(
      ({ event, at, customerId, actor }) => [event, at, customerId && 'known', actor],
    );
  };

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    await importLines(api.app, [
      transferLine('moved', 'b', '2024-05-10'),
      licenseLine('moved', { externalBillingRef: 'order-1', key: KEY }),
      eventLine('moved', 'license.edition_changed', '2023-02-01T00:00:00Z', { actor: 'staff@old.example' }),
      ...ownerLines('b', {}, { parentRef: 'a' }),
      licenseLine('keyless'),
      licenseLine('suspended', { state: 'suspended', suspendedAt: '2024-04-01', key: 'SUSPENDED-1' }),
      licenseLine('ended', { state: 'terminated', terminatedAt: '2024-04-01', key: 'TERMINATED-1' }),
      licenseLine('trial', { contractRef: 'trial', state: 'trial', issuedAt: '2025-06-01' }),
      { ...ownerLines('a', { model: 'trial', validTo: '2025-06-20' })[1], ref: 'trial' },
      contactLine('first', 'a-customer', { isPrimary: true }),
      contactLine('second', 'a-customer', { firstName: 'Grace', isPrimary: true, createdAt: '2021-02-03' }),
      ...ownerLines('a', {}, { createdAt: '2020-01-01' }),
    ]);
    root = api.as(await aToken(api.app, await idOf('partner', 'a'), 'write'));
    leaf = api.as(await aToken(api.app, await idOf('partner', 'b'), 'write'));
  });

  afterAll(() => api.close());

  it('are in the lists of their partner and its ancestors only', async () => {
    expect((await root.get('/v1/licenses')).body).toHaveLength(5);
    const { body } = await leaf.get('/v1/licenses');
    expect(body).toMatchObject([
      { partnerId: await idOf('partner', 'b'), keyMasked: '…QWERTZ', state: 'active', externalBillingRef: 'order-1' },
    ]);
    expect((await root.get('/v1/customers')).body).toHaveLength(2);
    expect((await leaf.get('/v1/customers')).body).toHaveLength(1);
    expect((await root.get('/v1/contracts')).body).toHaveLength(3);
    expect((await leaf.get('/v1/transfers')).body).toMatchObject([
      { effectiveDate: '2024-05-10', fromCustomerId: null, metadataSync: 'synced', createdBy: null, reason: 'moved' },
    ]);
  });

  it('have numbers of their own, in the order of the file', async () => {
    const { body } = await root.get('/v1/licenses?limit=200');
    const numbers = new Map((body as { id: string; humanId: string }[]).map(({ id, humanId }) => [id, humanId]));
    expect(numbers.get(await idOf('license', 'moved'))).toBe('L-1');
    expect(numbers.get(await idOf('license', 'trial'))).toBe('L-5');
  });

  it('have one primary contact, the last one named', async () => {
    const { body } = await root.get(`/v1/customers/${await idOf('customer', 'a-customer')}/contacts`);
    expect(body).toMatchObject([
      { firstName: 'Grace', isPrimary: true, createdAt: '2021-02-03T00:00:00.000Z' },
      { firstName: 'Ada', isPrimary: false },
    ]);
  });

  it('show the buyer the events from the transfer on, and those without a customer', async () => {
    expect(await activityOf(leaf, 'b-customer')).toEqual([
      ['license.transferred_in', '2024-05-10T00:00:00.000Z', 'known', null],
      ['license.edition_changed', '2023-02-01T00:00:00.000Z', null, 'staff@old.example'],
    ]);
    const seller = await activityOf(root, 'a-customer');
    expect(seller.filter(([event]) => event === 'license.transferred_out')).toHaveLength(1);
    expect(seller.filter(([event]) => event === 'license.issued')).toHaveLength(5);
    expect(seller.some(([, , customer]) => customer === null)).toBe(false);
  });

  it('have a ledger that verifies', async () => {
    const report = await api.app.get(LedgerVerification, { strict: false }).verify(null);
    expect(report).toEqual({ licenses: 5, events: 10, broken: null });
  });

  it('validate with their original keys', async () => {
    const validate = async (key: string) =>
      (await api.as(null).post('/license-service/v1/validate', { key })).body.code as string;
    expect(await validate(KEY)).toBe('VALID');
    expect(await validate('SUSPENDED-1')).toBe('SUSPENDED');
    expect(await validate('TERMINATED-1')).toBe('NOT_FOUND');
    expect(await validate('…')).toBe('NOT_FOUND');
  });

  it('can be changed like others, even a license without a key', async () => {
    const id = await idOf('license', 'keyless');
    for (const [call, state] of [
      ['suspend', 'suspended'],
      ['resume', 'active'],
      ['terminate', 'terminated'],
    ]) {
      expect((await root.post(`/v1/licenses/${id}/${call}`)).body).toMatchObject({ state, keyMasked: '…' });
    }
    const resumed = await root.post(`/v1/licenses/${await idOf('license', 'suspended')}/resume`);
    expect(resumed.body.state).toBe('active');
    const edition = await root.post(`/v1/licenses/${await idOf('license', 'moved')}/edition`, { edition: 'web-pro' });
    expect(edition.body.edition).toBe('web-pro');
    await api.app.get(UpstreamSync, { strict: false }).syncDue();
  });

  it('can be transferred and expire after the import', async () => {
    await importLines(api.app, [
      transferLine('moved', 'a', '2025-01-01'),
      eventLine('moved', 'license.suspended', '2022-01-01'),
    ]);
    expect((await leaf.get('/v1/licenses')).body).toEqual([]);
    const back = await root.post('/v1/transfers', {
      licenseId: await idOf('license', 'moved'),
      toPartnerId: await idOf('partner', 'b'),
      toCustomerId: await idOf('customer', 'b-customer'),
      toContractId: await idOf('contract', 'b-contract'),
      effectiveDate: '2024-12-31',
    });
    expect([back.status, back.headers.get('x-error-reason')]).toEqual([422, 'effective-date-before-last-transfer']);
    clock.set('2025-06-21T00:00:00Z');
    const trial = `/v1/licenses/${await idOf('license', 'trial')}`;
    expect((await root.get(trial)).body.state).toBe('expired');
    expect(await api.app.get(TrialExpiry, { strict: false }).expireDue()).toBe(1);
    expect((await root.get(trial)).body.state).toBe('expired');
    expect((await api.app.get(LedgerVerification, { strict: false }).verify(null)).broken).toBeNull();
  });

  it('are imported by one import at a time', async () => {
    const waiting = await Promise.allSettled([1, 2].map((n) => importLines(api.app, ownerLines(`p${n}`))));
    const refused = waiting.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason.slug)).toEqual(['import-running']);
    expect((await importLines(api.app, ownerLines('p3'))).imported.partner).toBe(1);
  });
});
