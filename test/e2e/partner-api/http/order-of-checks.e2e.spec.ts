import { aDistributor, aLicense, aSeller, transferTo, type Seller } from '../../../support/builders/a-license.js';
import type { PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { aContract } from '../../../support/builders/a-world.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startLicensingApi, type LicensingApi } from '../../../support/licensing/licensing-api.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
const TOO_LARGE = JSON.stringify({ name: 'x'.repeat(300_000) });

/** 401, 429, 403, 422 for the shape of the request, 404, 422 for checks that need records, 409. */
describe('the order of checks', () => {
  let api: LicensingApi;
  let parent: PartnerWithTokens;
  let client: HttpClient;
  let from: Seller;
  let to: Seller;

  beforeAll(async () => {
    api = await startLicensingApi({ clock: new FixedClock('2026-05-10T12:00:00.000Z') });
    ({ parent, client, from, to } = await aDistributor(api));
  });

  afterAll(() => api.close());

  describe('for a body that is too large', () => {
    it.each([
      'POST /v1/customers',
      'POST /v1/licenses',
      `PATCH /v1/customers/${UNKNOWN}`,
      `DELETE /v1/tokens/${UNKNOWN}`,
    ])('starts with the right to %s', async (route) => {
      const [method, path] = route.split(' ') as [string, string];
      const send = (token: string) => api.as(token).call(method, path, { raw: TOO_LARGE });
      const { body: revoked } = await client.post('/v1/tokens', { label: 'gone', scope: 'write' });
      await client.delete(`/v1/tokens/${revoked.id}`);
      expect((await send(revoked.token)).status).toBe(401);
      expect((await send(parent.readToken)).status).toBe(403);
      expect((await send(parent.writeToken)).status).toBe(413);
    });

    it('is the same for a body without Content-Length', async () => {
      const pieces = new ReadableStream<Uint8Array>({
        start(stream) {
          for (let sent = 0; sent < 40; sent++) stream.enqueue(new Uint8Array(16_384));
          stream.close();
        },
      });
      const answer = await fetch(`${api.url}/v1/customers`, {
        method: 'POST',
        body: pieces,
        headers: { authorization: `Bearer ${parent.writeToken}`, 'content-type': 'application/json' },
        duplex: 'half',
      });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ error: { code: 'payload-too-large' } });
    });

    it('accepts a body of exactly 256 KB', async () => {
      const sized = (bytes: number) => JSON.stringify({ name: 'x', other: 'x'.repeat(bytes - 23) });
      expect(sized(262_144)).toHaveLength(262_144);
      const statusOf = async (bytes: number) =>
        (await client.call('POST', '/v1/customers', { raw: sized(bytes) })).status;
      expect([await statusOf(262_144), await statusOf(262_145)]).toEqual([201, 413]);
    });
  });

  it('refuses a body with a content encoding', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const answer = await client.call('POST', '/v1/customers', { raw: '{"name":"x"}', headers });
    expect(answer.status).toBe(415);
  });

  describe('for a transfer', () => {
    const wish = (licenseId: string, toContractId = to.contractId) => ({ ...transferTo(to, licenseId), toContractId });
    const reasonOf = async (body: object) => {
      const answer = await client.post('/v1/transfers', body);
      return [answer.status, answer.headers.get('x-error-reason')];
    };

    it('reads the license before it compares customer and contract', async () => {
      const stranger = await aLicense(await aSeller(api));
      expect(await reasonOf(wish(UNKNOWN, from.contractId))).toEqual([404, null]);
      expect(await reasonOf(wish(stranger.id, from.contractId))).toEqual([404, null]);
    });

    it('refuses a day in the future before it reads any record', async () => {
      const tomorrow = { ...wish(UNKNOWN), effectiveDate: '2026-05-11T00:00:00Z' };
      expect(await reasonOf(tomorrow)).toEqual([422, 'effective-date-in-future']);
    });

    it('reports a day in the future together with other errors, and an invalid day only once', async () => {
      const wrong = { licenseId: 'L-1', toPartnerId: to.partner.id, toCustomerId: to.customerId, toContractId: null };
      const messageOf = async (effectiveDate: string) =>
        (await client.post('/v1/transfers', { ...wrong, effectiveDate })).body.error.message;
      const ids = 'licenseId must be a UUID; toContractId must be a UUID';
      expect(await messageOf('2026-05-11')).toBe(`${ids}; effectiveDate must not be in the future`);
      expect(await messageOf('soon')).toBe(`${ids}; effectiveDate must be an RFC 3339 timestamp`);
      expect(await messageOf('2026-05-11T01:30:00+02:00')).toBe(ids);
    });

    it('checks the edition before the state', async () => {
      const { id } = await aLicense(from);
      await client.post(`/v1/licenses/${id}/terminate`);
      const narrow = await aContract(api.app, to.partner.id, { editions: ['web-pro'] });
      expect(await reasonOf(wish(id, narrow.id))).toEqual([422, 'edition-not-in-contract']);
      expect(await reasonOf(wish(id))).toEqual([409, 'license-terminated']);
    });
  });
});
