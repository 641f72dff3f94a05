import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const TEXTS = [
  'externalRef',
  'legalName',
  'vatId',
  'email',
  'phone',
  'billingStreet',
  'billingPostalCode',
  'billingCity',
  'billingRegion',
  'billingCountry',
  'postalStreet',
  'postalPostalCode',
  'postalCity',
  'postalRegion',
  'postalCountry',
  'website',
  'ownerEmail',
];

describe('the validation of customers', () => {
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;
  let client: HttpClient;
  let id: string;

  beforeAll(async () => {
    api = await startPartnerApi();
    partner = await aPartner(api.app);
    client = api.as(partner.writeToken);
    id = (await client.post('/v1/customers', { name: 'Fabrikam' })).body.id;
  });

  afterAll(() => api.close());

  async function refused(body: object, ...fields: string[]): Promise<void> {
    const answers = [
      await client.post('/v1/customers', { name: 'Fabrikam', ...body }),
      await client.patch(`/v1/customers/${id}`, body),
    ];
    for (const { status, headers, body: answer } of answers) {
      expect(status).toBe(422);
      expect(headers.get('x-error-reason')).toBe('validation');
      expect(answer.error.code).toBe('unprocessable-entity');
      for (const field of fields) expect(answer.error.message).toContain(field);
    }
  }

  it.each(TEXTS)('refuses %s if it is null, not a string, too long or cannot be stored', async (field) => {
    for (const value of [null, 7, true, [], {}, 'x'.repeat(501), 'a\0b', '\ud800']) {
      await refused({ [field]: value }, field);
    }
  });

  it.each(TEXTS.filter((field) => !/email|website|country/i.test(field)))(
    'takes %s of 500 characters',
    async (field) => {
      const { status, body } = await client.patch(`/v1/customers/${id}`, { [field]: 'x'.repeat(500) });
      expect([status, body[field]]).toEqual([200, 'x'.repeat(500)]);
    },
  );

  it('requires a name of 1 to 200 characters, without surrounding white space', async () => {
    for (const name of ['', '   ', '\u00a0', 'x'.repeat(201), null, 5, 'a\0b']) await refused({ name }, 'name');
    expect((await client.post('/v1/customers', {})).status).toBe(422);
    const { status, body } = await client.post('/v1/customers', { name: ` ${'x'.repeat(200)}\n` });
    expect([status, body.name]).toEqual([201, 'x'.repeat(200)]);
  });

  it.each(['\u00fc', '\u{1f5fe}', '\u260e\ufe0f', 'a\u0301'])(
    'counts characters as they are stored: up to 500 of %j',
    async (character) => {
      const legalName = character.repeat(500 / [...character].length);
      expect((await client.patch(`/v1/customers/${id}`, { legalName })).body.legalName).toBe(legalName);
      await refused({ legalName: legalName + character }, 'legalName');
    },
  );

  it('stores all other texts unchanged, including white space', async () => {
    const { body } = await client.patch(`/v1/customers/${id}`, { legalName: '  a\tb ', phone: '<b>&"\'' });
    expect([body.legalName, body.phone]).toEqual(['  a\tb ', '<b>&"\'']);
  });

  it.each(['billingCountry', 'postalCountry'])(
    'knows the assigned countries of %s in upper case only',
    async (field) => {
      for (const code of ['de', 'De', 'XX', 'UK', 'EU', 'AN', 'DEU', 'D', ' DE', 'ZZ', '12']) {
        await refused({ [field]: code }, field);
      }
      for (const code of ['DE', 'GB', 'SS', 'AX', '']) {
        const { status, body } = await client.patch(`/v1/customers/${id}`, { [field]: code });
        expect([status, body[field]]).toEqual([200, code]);
      }
    },
  );

  it('accepts four statuses', async () => {
    for (const status of ['deleted', '', 'Active', null, 1, ['active']]) await refused({ status }, 'status');
    for (const status of ['prospect', 'active', 'suspended', 'churned']) {
      expect((await client.patch(`/v1/customers/${id}`, { status })).body.status).toBe(status);
    }
  });

  it.each(['email', 'ownerEmail'])('checks %s if it is not empty', async (field) => {
    for (const value of ['x', 'a@b', 'a b@c.example', '@c.example', ' a@c.example', 'a@c.example,b@c.example']) {
      await refused({ [field]: value }, field);
    }
    for (const value of ['a@c.example', 'a+b@mail.c.example', '']) {
      expect((await client.patch(`/v1/customers/${id}`, { [field]: value })).body[field]).toBe(value);
    }
  });

  it('checks the website if it is not empty', async () => {
    const wrong = [
      'not a site',
      'javascript:alert(1)',
      'ftp://a.example',
      'https://',
      'http://a b.example',
      'x',
      'data:,x',
    ];
    for (const website of wrong) await refused({ website }, 'website');
    for (const website of ['https://a.example', 'http://a.example:8080/x?y#z', 'www.a.example', 'a.example/x', '']) {
      expect((await client.patch(`/v1/customers/${id}`, { website })).body.website).toBe(website);
    }
  });

  it('names every invalid field at once', async () => {
    await refused(
      { name: '', status: 'x', billingCountry: 'xx', email: 'x', phone: null },
      ...['name', 'status', 'billingCountry', 'email', 'phone'],
    );
  });

  it.each([['null'], ['[]'], ['"x"'], ['7'], [undefined]])('refuses the body %s', async (raw) => {
    for (const [method, path] of [
      ['POST', '/v1/customers'],
      ['PATCH', `/v1/customers/${id}`],
    ] as const) {
      expect((await client.call(method, path, { raw })).status).toBe(422);
    }
  });

  it('checks the shape before it reads any record', async () => {
    const missing = '/v1/customers/7d3b1c3e-6a0f-4b5e-9a59-0d7a5a9f4f3c';
    expect((await client.patch(missing, { status: 'x' })).status).toBe(422);
    expect((await client.post(`${missing}/contacts`, {})).status).toBe(422);
    expect((await client.post(`${missing}/notes`, { body: '' })).status).toBe(422);
    const foreign = { name: 'x', status: 'x', partnerId: '7d3b1c3e-6a0f-4b5e-9a59-0d7a5a9f4f3c' };
    expect((await client.post('/v1/customers', foreign)).status).toBe(422);
  });

  it('refuses a partnerId that is not a UUID, including null', async () => {
    for (const partnerId of [null, '', 'x', 7, `{${partner.id}}`, partner.id.replaceAll('-', '')]) {
      const { status, body } = await client.post('/v1/customers', { name: 'x', partnerId });
      expect([status, body.error.message]).toEqual([422, 'partnerId must be a UUID']);
    }
    const upper = await client.post('/v1/customers', { name: 'x', partnerId: partner.id.toUpperCase() });
    expect([upper.status, upper.body.partnerId]).toEqual([201, partner.id]);
  });
});
