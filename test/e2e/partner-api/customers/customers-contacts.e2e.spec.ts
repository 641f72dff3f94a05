import { aCustomer } from '../../../support/builders/a-customer.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

interface Contact {
  id: string;
  lastName: string;
  isPrimary: boolean;
}

describe('contacts of a customer', () => {
  const clock = new FixedClock('2026-05-01T08:30:00.000Z');
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;
  let client: HttpClient;
  let contacts: string;
  let customerId: string;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    partner = await aPartner(api.app);
    client = api.as(partner.writeToken);
  });

  beforeEach(async () => {
    customerId = (await aCustomer(api.app, partner.id)).id;
    contacts = `/v1/customers/${customerId}/contacts`;
  });

  afterAll(() => api.close());

  const list = async () => (await client.get(contacts)).body as Contact[];

  it('are empty at first', async () => {
    const { status, body } = await client.get(contacts);
    expect([status, body]).toEqual([200, []]);
  });

  it('are created with empty values for omitted fields', async () => {
    const { status, body } = await client.post(contacts, { lastName: 'Lovelace' });
    expect(status).toBe(201);
    const { id, humanId, ...rest } = body;
    expect(humanId).toMatch(/^P-[1-9]\d*$/);
    const at = '2026-05-01T08:30:00.000Z';
    const blank = { firstName: '', title: '', email: '', phone: '', locale: '', notes: '', isPrimary: false };
    expect(rest).toEqual({ ...blank, lastName: 'Lovelace', customerId, createdAt: at, updatedAt: at });
    expect(await list()).toEqual([{ id, humanId, ...rest }]);
  });

  it('store every field', async () => {
    const full = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      title: 'Countess',
      email: 'ada@fabrikam.example',
      phone: '1',
      locale: 'en-GB',
      notes: 'calls only',
      isPrimary: true,
    };
    const { body } = await client.post(contacts, full);
    expect(body).toMatchObject(full);
  });

  it.each(['firstName', 'lastName', 'title', 'email', 'phone', 'locale', 'notes'])(
    'refuses %s when it is null, no string, too long or not storable',
    async (field) => {
      const { id } = (await client.post(contacts, { firstName: 'Ada', lastName: 'L' })).body;
      for (const value of [null, 7, true, [], {}, 'x'.repeat(501), 'a\0b', '\ud800']) {
        for (const { status, body } of [
          await client.post(contacts, { firstName: 'Ada', lastName: 'L', [field]: value }),
          await client.patch(`${contacts}/${id}`, { [field]: value }),
        ]) {
          expect([status, body.error.message]).toEqual([422, expect.stringContaining(field)]);
        }
      }
    },
  );

  it('need a first or a last name, on creation and after a change', async () => {
    for (const body of [{}, { firstName: '' }, { lastName: ' ', firstName: '\t' }, { email: 'a@b.example' }]) {
      const { status, body: answer } = await client.post(contacts, body);
      expect(status).toBe(422);
      expect(answer.error.message).toContain('firstName and lastName');
    }
    const { id } = (await client.post(contacts, { firstName: 'Ada' })).body;
    expect((await client.patch(`${contacts}/${id}`, { firstName: '' })).status).toBe(422);
    expect((await client.patch(`${contacts}/${id}`, { firstName: '', lastName: 'L' })).status).toBe(200);
    const emptied = await client.patch(`${contacts}/${id}`, { lastName: '' });
    expect([emptied.status, emptied.headers.get('x-error-reason')]).toEqual([422, 'validation']);
    expect((await list())[0]).toMatchObject({ firstName: '', lastName: 'L' });
  });

  it('refuse a change to two empty names together with its other errors, before the contact is read', async () => {
    const change = { firstName: '', lastName: ' ', email: 'nobody', isPrimary: 1 };
    const { status, body } = await client.patch(`${contacts}/P-1`, change);
    expect(status).toBe(422);
    for (const field of ['firstName and lastName', 'email', 'isPrimary']) expect(body.error.message).toContain(field);
    expect((await client.patch(`${contacts}/P-1`, { firstName: '', lastName: '' })).status).toBe(422);
    expect((await client.patch(`${contacts}/P-1`, { firstName: '' })).status).toBe(404);
  });

  it('name every invalid field, even if the name is missing', async () => {
    const wrong = { email: 'x', phone: null, isPrimary: 'yes', locale: 'x'.repeat(501), title: 'a\0b' };
    const { status, body } = await client.post(contacts, wrong);
    expect(status).toBe(422);
    for (const field of ['firstName', ...Object.keys(wrong)]) expect(body.error.message).toContain(field);
    const { id } = (await client.post(contacts, { firstName: 'Ada' })).body;
    for (const [field, value] of Object.entries({ ...wrong, firstName: null, lastName: 7, notes: 'x'.repeat(501) })) {
      const answer = await client.patch(`${contacts}/${id}`, { [field]: value });
      expect([field, answer.status]).toEqual([field, 422]);
      expect(answer.body.error.message).toContain(field);
    }
    expect((await client.patch(`${contacts}/${id}`, { isPrimary: null })).status).toBe(422);
  });

  it('change only the given fields, and the time of the change', async () => {
    const before = (await client.post(contacts, { firstName: 'Ada', phone: '1' })).body;
    clock.advance(60_000);
    const { status, body } = await client.patch(`${contacts}/${before.id}`, {
      phone: '2',
      id: customerId,
      humanId: 'P-0',
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, phone: '2', updatedAt: clock.now().toISOString() });
    expect(await list()).toEqual([body]);
  });

  it('pass the primary role on, on creation and on change', async () => {
    const first = (await client.post(contacts, { lastName: 'A', isPrimary: true })).body;
    const second = (await client.post(contacts, { lastName: 'B', isPrimary: true })).body;
    expect((await list()).map(({ id, isPrimary }) => [id, isPrimary])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    await client.patch(`${contacts}/${first.id}`, { isPrimary: true });
    expect((await list()).map(({ id, isPrimary }) => [id, isPrimary])).toEqual([
      [first.id, true],
      [second.id, false],
    ]);
    await client.patch(`${contacts}/${first.id}`, { isPrimary: false });
    expect((await list()).filter(({ isPrimary }) => isPrimary)).toEqual([]);
  });

  it('do not affect the primary contact of another customer', async () => {
    const mine = (await client.post(contacts, { lastName: 'A', isPrimary: true })).body;
    const other = await aCustomer(api.app, partner.id);
    await client.post(`/v1/customers/${other.id}/contacts`, { lastName: 'B', isPrimary: true });
    expect(await list()).toEqual([mine]);
  });

  it('are listed with the primary contact first and the others newest first', async () => {
    for (const lastName of ['A', 'B', 'C', 'D']) {
      clock.advance(1_000);
      await client.post(contacts, { lastName, isPrimary: lastName === 'B' });
    }
    expect((await list()).map(({ lastName }) => lastName)).toEqual(['B', 'D', 'C', 'A']);
  });

  it('can be removed once', async () => {
    const { id } = (await client.post(contacts, { lastName: 'A', isPrimary: true })).body;
    const removed = await client.delete(`${contacts}/${id}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await client.delete(`${contacts}/${id}`)).status).toBe(404);
    expect(await list()).toEqual([]);
    expect((await client.post(contacts, { lastName: 'B', isPrimary: true })).status).toBe(201);
  });

  it('of another customer get the same answer as missing ones', async () => {
    const other = await aCustomer(api.app, partner.id);
    const { id } = (await client.post(`/v1/customers/${other.id}/contacts`, { lastName: 'A' })).body;
    expect((await client.patch(`${contacts}/${id}`, { lastName: 'B' })).status).toBe(404);
    expect((await client.delete(`${contacts}/${id}`)).status).toBe(404);
    const kept = (await client.get(`/v1/customers/${other.id}/contacts`)).body as Contact[];
    expect(kept.map(({ lastName }) => lastName)).toEqual(['A']);
  });
});
