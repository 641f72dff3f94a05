import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { aContract } from '../../../support/builders/a-world.js';
import { cli } from '../../../support/processes/cli.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';

describe('contracts', () => {
  const clock = new FixedClock('2026-05-10T12:00:00.000Z');
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;
  let child: PartnerWithTokens;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    partner = await aPartner(api.app);
    child = await aPartner(api.app, { parentId: partner.id });
  });

  afterAll(() => api.close());

  it('can be read with all their terms by the partner and every partner above', async () => {
    const terms = { model: 'flat_capped', licenseCap: 5, editions: ['web-host'], validTo: '2026-12-31' } as const;
    const { id } = await aContract(api.app, child.id, { ...terms, reference: 'Paper 7' });
    const expected = {
      id,
      partnerId: child.id,
      reference: 'Paper 7',
      model: 'flat_capped',
      currency: 'EUR',
      unitPriceCents: 1000,
      validFrom: '2020-01-01',
      validTo: '2026-12-31',
      licenseCap: 5,
      packSize: null,
      editions: ['web-host'],
      createdAt: '2026-05-10T12:00:00.000Z',
    };
    for (const reader of [child, partner]) {
      expect((await api.as(reader.readToken).get(`/v1/contracts/${id}`)).body).toEqual(expected);
      expect((await api.as(reader.readToken).get('/v1/contracts')).body).toContainEqual(expected);
    }
  });

  it('answer 404 in the same way for a missing, a foreign and a malformed id', async () => {
    const stranger = await aPartner(api.app);
    const { id } = await aContract(api.app, partner.id);
    const missing = await api.as(stranger.readToken).get(`/v1/contracts/${UNKNOWN}`);
    for (const other of [id, 'x']) {
      const answer = await api.as(stranger.readToken).get(`/v1/contracts/${other}`);
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await api.as(stranger.readToken).get('/v1/contracts')).body).toEqual([]);
  });

  it('are listed newest first, by offset and by key', async () => {
    const owner = await aPartner(api.app);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      clock.advance(1000);
      ids.unshift((await aContract(api.app, owner.id)).id);
    }
    const reader = api.as(owner.readToken);
    const idsOf = async (query: string) => (await reader.get(`/v1/contracts${query}`)).body.map(({ id }: any) => id);
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf('?limit=2&offset=1')).toEqual(ids.slice(1, 3));
    expect(await idsOf(`?limit=2&after=${ids[2]}`)).toEqual(ids.slice(3));
    expect((await reader.get('/v1/contracts?limit=2')).headers.get('link')).toBe(
      `</v1/contracts?limit=2&after=${ids[1]}>; rel="next"`,
    );
    expect((await reader.get(`/v1/contracts?after=${UNKNOWN}`)).status).toBe(404);
  });

  it.each(['POST', 'PATCH', 'PUT', 'DELETE'])('cannot be written with a token and %s', async (method) => {
    const { id } = await aContract(api.app, partner.id);
    const answer = await api.as(partner.writeToken).call(method, `/v1/contracts/${id}`, { body: {} });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  describe('in the staff CLI', () => {
    const run = (...args: string[]) => cli(api.database.url, ['contracts', ...args, '--json']);
    const create = (...more: string[]) =>
      run(
        ...['create', '--partner', partner.id, '--reference', 'Paper 8', '--model', 'prepaid_pack'],
        ...['--currency', 'EUR', '--unit-price-cents', '0', '--valid-from', '2026-01-01', '--pack-size', '3', ...more],
      );

    it('are created, listed and ended, with the fields of the API', async () => {
      const created = await create('--editions', 'web-pro,web-host');
      expect(created.code).toBe(0);
      const contract = JSON.parse(created.stdout);
      expect(contract).toMatchObject({ model: 'prepaid_pack', packSize: 3, editions: ['web-pro', 'web-host'] });
      const read = (await api.as(partner.readToken).get(`/v1/contracts/${contract.id}`)).body;
      expect(contract).toEqual(read);
      const ended = await run('end', contract.id, '--valid-to', '2026-06-30');
      expect(JSON.parse(ended.stdout)).toEqual({ ...read, validTo: '2026-06-30' });
      const listed = await run('list', '--partner', partner.id);
      expect(JSON.parse(listed.stdout)).toContainEqual({ ...read, validTo: '2026-06-30' });
    });

    it.each([
      [['--unit-price-cents', '12.5'], 'unit-price-cents', 2],
      [['--valid-to', '2025-12-31'], 'validTo', 1],
      [['--editions', 'nonsense'], 'editions', 2],
      [['--currency', 'euro'], 'currency', 2],
      [['--license-cap', '5'], 'licenseCap', 1],
      [['--partner', UNKNOWN], 'partner', 1],
    ])('are refused with %j', async (options, field, code) => {
      const refused = await create(...options);
      expect(refused.code).toBe(code);
      expect(JSON.parse(refused.stdout).error.message).toContain(field);
    });

    it('report the wrong use of a command', async () => {
      expect((await run('create')).code).toBe(2);
      expect((await run('end', UNKNOWN, '--valid-to', '2026-06-30')).code).toBe(1);
    });
  });
});
