import { FixedClock } from '../support/fixed-clock.js';
import { importProblems, type Line } from '../support/licensing/import-file.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import {
  contactLine,
  contractLine,
  customerLine,
  eventLine,
  licenseLine,
  partnerLine,
  transferLine,
} from '../support/builders/import-lines.js';

const MISSING = '00000000-0000-4000-8000-000000000000';
const NOW = '2025-06-15T12:00:00Z';
const EDITIONS = 'power-user, web-host, web-pro, web-admin';

describe('a line that cannot be imported', () => {
  let api: RunningPartnerApi;

  beforeAll(async () => {
    api = await startPartnerApi({ clock: new FixedClock(NOW) });
  });

  afterAll(() => api.close());

  const problemsOf = (lines: readonly Line[] | string) => importProblems(api.app, lines);

  it.each<[string, Line, string]>([
    [
      'an unknown type',
      { type: 'note' },
      'type must be one of partner, contract, customer, contact, license, event, transfer',
    ],
    ['a partner without a ref', { ...partnerLine('x'), ref: undefined }, 'ref is required'],
    ['a partner with an empty ref', partnerLine(''), 'ref must not be empty'],
    ['a partner without a name', partnerLine('x', { name: ' ' }), 'name must have 1 to 200 characters'],
    [
      'a partner of an unknown type',
      partnerLine('x', { partnerType: 'king' }),
      'partnerType must be one of operator, distributor, reseller, hoster',
    ],
    [
      'an operator below another partner',
      partnerLine('x', { partnerType: 'operator', parentRef: 'a' }),
      'parentRef must be empty for the operator',
    ],
    [
      'a partner below an unknown one',
      partnerLine('x', { parentRef: 'nobody' }),
      'parentRef refers to a partner that does not exist',
    ],
    [
      'a partner below a missing id',
      partnerLine('x', { parentId: MISSING }),
      'parentId refers to a partner that does not exist',
    ],
    ['a partner below a malformed id', partnerLine('x', { parentId: 'a' }), 'parentId must be a UUID'],
    [
      'a partner named twice',
      partnerLine('x', { parentId: MISSING, parentRef: 'a' }),
      'parentId must not be given together with parentRef',
    ],
    ['a partner below itself', partnerLine('x', { parentRef: 'x' }), 'parentRef leads back to the partner itself'],
    [
      'a partner created tomorrow',
      partnerLine('x', { createdAt: '2025-06-16' }),
      'createdAt must not be in the future',
    ],
    [
      'a contract of an unknown partner',
      contractLine('x', 'nobody'),
      'partnerRef refers to a partner that does not exist',
    ],
    [
      'a contract without a partner',
      { ...contractLine('x', 'a'), partnerRef: undefined },
      'partnerRef is required, or partnerId',
    ],
    ['a contract without a reference', contractLine('x', 'a', { reference: ' ' }), 'reference must not be empty'],
    [
      'a contract with an unknown model',
      contractLine('x', 'a', { model: 'per_seat' }),
      'model must be one of per_instance_metered, flat_unlimited, flat_capped, prepaid_pack, trial, not_for_resale',
    ],
    [
      'a currency that does not exist',
      contractLine('x', 'a', { currency: 'eur' }),
      'currency must be an assigned ISO 4217 code, such as EUR',
    ],
    [
      'a price in fractions of cents',
      contractLine('x', 'a', { unitPriceCents: 0.5 }),
      'unitPriceCents must be an integer',
    ],
    [
      'a price below 0',
      contractLine('x', 'a', { unitPriceCents: -1 }),
      'unitPriceCents must be an integer from 0 to 1000000000000',
    ],
    [
      'a day that does not exist',
      contractLine('x', 'a', { validFrom: '2024-02-30' }),
      'validFrom must be a date, YYYY-MM-DD',
    ],
    [
      'a contract that ends before it begins',
      contractLine('x', 'a', { validTo: '2019-12-31' }),
      'validTo must not be before validFrom',
    ],
    [
      'a cap on the wrong model',
      contractLine('x', 'a', { licenseCap: 5 }),
      'licenseCap belongs to the model flat_capped only',
    ],
    [
      'a pack without a size',
      contractLine('x', 'a', { model: 'prepaid_pack' }),
      'packSize is required for the model prepaid_pack',
    ],
    [
      'an unknown edition in a contract',
      contractLine('x', 'a', { editions: ['gold'] }),
      `editions must be among ${EDITIONS}`,
    ],
    [
      'a customer of an unknown partner',
      customerLine('x', 'nobody'),
      'partnerRef refers to a partner that does not exist',
    ],
    ['a customer without a name', customerLine('x', 'a', { name: ' ' }), 'name must not be empty'],
    [
      'an unassigned country',
      customerLine('x', 'a', { billingCountry: 'XX' }),
      'billingCountry must be an assigned ISO 3166-1 alpha-2 code in upper case, or empty',
    ],
    [
      'a country in lower case',
      customerLine('x', 'a', { postalCountry: 'de' }),
      'postalCountry must be an assigned ISO 3166-1 alpha-2 code in upper case, or empty',
    ],
    ['no e-mail address', customerLine('x', 'a', { email: 'x' }), 'email must be an e-mail address, or empty'],
    [
      'no website',
      customerLine('x', 'a', { website: 'ftp://x.example' }),
      'website must be an http or https address, or empty',
    ],
    [
      'an unknown status',
      customerLine('x', 'a', { status: 'gone' }),
      'status must be one of prospect, active, suspended, churned',
    ],
    ['a NUL character', customerLine('x', 'a', { vatId: 'a\0' }), 'vatId must not contain a NUL character'],
    ['a number for a text', customerLine('x', 'a', { phone: 5 }), 'phone must be a string'],
    [
      'a contact of an unknown customer',
      contactLine('x', 'nobody'),
      'customerRef refers to a customer that does not exist',
    ],
    [
      'a contact without a name',
      contactLine('x', 'a-customer', { firstName: ' ' }),
      'firstName and lastName must not both be empty',
    ],
    ['isPrimary as a word', contactLine('x', 'a-customer', { isPrimary: 'yes' }), 'isPrimary must be true or false'],
    [
      'a license of an unknown partner',
      licenseLine('x', { partnerRef: 'nobody' }),
      'partnerRef refers to a partner that does not exist',
    ],
    [
      'a license on an unknown contract',
      licenseLine('x', { contractRef: 'nobody' }),
      'contractRef refers to a contract that does not exist',
    ],
    [
      "another partner's customer",
      licenseLine('x', { customerRef: 'b-customer' }),
      'customerRef must belong to partnerRef',
    ],
    [
      "another partner's contract",
      licenseLine('x', { contractRef: 'b-contract' }),
      'contractRef must belong to partnerRef',
    ],
    ['an unknown edition', licenseLine('x', { edition: 'gold' }), `edition must be one of ${EDITIONS}`],
    [
      'an unknown state',
      licenseLine('x', { state: 'gone' }),
      'state must be one of active, trial, suspended, terminated, expired',
    ],
    [
      'a trial on a paid contract',
      licenseLine('x', { state: 'trial' }),
      'state trial requires a contract with the model trial',
    ],
    ['an issue tomorrow', licenseLine('x', { issuedAt: '2025-06-15T12:00:01Z' }), 'issuedAt must not be in the future'],
    [
      'an issue at an invalid time',
      licenseLine('x', { issuedAt: 'then' }),
      'issuedAt must be an RFC 3339 timestamp or a date, YYYY-MM-DD',
    ],
    [
      'a termination without a time',
      licenseLine('x', { state: 'terminated' }),
      'terminatedAt is required for the state terminated',
    ],
    [
      'a termination time of a live license',
      licenseLine('x', { terminatedAt: '2024-06-01' }),
      'terminatedAt belongs to the state terminated only',
    ],
    [
      'a termination before the issue',
      licenseLine('x', { state: 'terminated', terminatedAt: '2024-03-05T09:59:59Z' }),
      'terminatedAt must not be before issuedAt',
    ],
    [
      'a suspension of an active license',
      licenseLine('x', { suspendedAt: '2024-06-01' }),
      'suspendedAt belongs to the state suspended only',
    ],
    [
      'an expiry of an active license',
      licenseLine('x', { expiredAt: '2024-06-01' }),
      'expiredAt belongs to the state expired only',
    ],
    [
      'an event of an unknown license',
      eventLine('nobody', 'license.suspended', '2024-01-01'),
      'licenseRef refers to a license that does not exist',
    ],
    [
      'a transfer of an unknown license',
      transferLine('nobody', 'b', '2024-05-10'),
      'licenseRef refers to a license that does not exist',
    ],
    [
      'a transfer of a missing id',
      { ...transferLine('', 'b', '2024-05-10'), licenseRef: null, licenseId: MISSING },
      'licenseId refers to a license that does not exist',
    ],
  ])('%s', async (_what, line, message) => {
    expect(await problemsOf([line])).toEqual([`line 7: ${message}`]);
  });

  it('a cycle of partners', async () => {
    const circle = [partnerLine('x', { parentRef: 'y' }), partnerLine('y', { parentRef: 'x' })];
    expect(await problemsOf(circle)).toEqual([
      'line 7: parentRef leads back to the partner itself',
      'line 8: parentRef leads back to the partner itself',
    ]);
  });

  it('a ref that another line of the same type has', async () => {
    expect(await problemsOf([licenseLine('a'), licenseLine('a')])).toEqual([
      'line 8: ref is used by another line of this type',
    ]);
  });

  it('a key or an upstream record that another line has', async () => {
    const upstreamLicenseId = MISSING;
    const lines = [1, 2].map((n) => licenseLine(`l${n}`, { key: 'ONE-KEY-1', upstreamLicenseId }));
    expect(await problemsOf(lines)).toEqual([
      'line 8: key is used by another line',
      'line 8: upstreamLicenseId is used by another line',
    ]);
  });

  it.each([
    ['text that is not JSON', '{"type":\n', 'must be a JSON object'],
    ['an array', '[]\n', 'must be a JSON object'],
    ['a text that never ends', `"${'x'.repeat(1_100_000)}"`, 'must be UTF-8 text of at most 1 MiB'],
  ])('%s', async (_what, text, message) => {
    expect(await problemsOf(text)).toEqual([`line 7: ${message}`]);
  });

  it('reports missing fields together with invalid ones', async () => {
    const { customerRef: _, ...contact } = contactLine('x', 'a', { firstName: ' ', lastName: '', email: 'x' });
    const transfer = { ...transferLine('l', 'b', '2025-06-16'), toContractRef: null, toPartnerId: MISSING };
    expect(await problemsOf([contact, transfer])).toEqual([
      'line 7: email must be an e-mail address, or empty',
      'line 7: customerRef is required, or customerId',
      'line 7: firstName and lastName must not both be empty',
      'line 8: effectiveDate must not be in the future',
      'line 8: toPartnerId must not be given together with toPartnerRef',
      'line 8: toContractRef is required, or toContractId',
    ]);
  });

  it('reports every invalid field, but not references to a line that could not be read', async () => {
    const customer = customerLine('x', 'a', { status: 'gone', email: 'x' });
    expect(await problemsOf([customer, licenseLine('l', { customerRef: 'x' }), contactLine('c', 'x')])).toEqual([
      'line 7: email must be an e-mail address, or empty',
      'line 7: status must be one of prospect, active, suspended, churned',
    ]);
  });
});
