import { aCustomer } from '../../../support/builders/a-customer.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

describe('filters on the list of customers', () => {
  let api: RunningPartnerApi;
  let parent: PartnerWithTokens;
  let child: PartnerWithTokens;
  let stranger: PartnerWithTokens;

  beforeAll(async () => {
    api = await startPartnerApi();
    parent = await aPartner(api.app);
    child = await aPartner(api.app, { parentId: parent.id });
    stranger = await aPartner(api.app);
    await aCustomer(api.app, parent.id, { name: 'Alpha', status: 'prospect', externalRef: 'crm-1' });
    await aCustomer(api.app, parent.id, { name: 'Beta', legalName: 'ÄLPINE 100% AG', email: 'b@Beta.example' });
    await aCustomer(api.app, child.id, { name: 'Gamma', status: 'churned', externalRef: 'crm-1' });
    await aCustomer(api.app, child.id, { name: 'Del_ta', externalRef: 'CRM-10\\x' });
    await aCustomer(api.app, stranger.id, { name: 'Alpha', externalRef: 'crm-1', status: 'churned' });
  });

  afterAll(() => api.close());

  const names = async (query: string, partner = parent): Promise<string[]> => {
    const { status, body } = await api.as(partner.readToken).get(`/v1/customers?${query}`);
    expect(status).toBe(200);
    return (body as { name: string }[]).map(({ name }) => name);
  };

  it.each([
    ['status=churned', ['Gamma']],
    ['status=suspended', []],
    ['status=active', ['Del_ta', 'Beta']],
    ['externalRef=crm-1', ['Gamma', 'Alpha']],
    ['externalRef=crm', []],
    ['externalRef=CRM-1', []],
    ['externalRef=', ['Beta']],
    ['externalRef=crm-1&status=prospect', ['Alpha']],
  ])('select by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['q=alpha', ['Alpha']],
    ['q=LPH', ['Alpha']],
    [`q=${encodeURIComponent('älpine')}`, ['Beta']],
    ['q=beta.EXAMPLE', ['Beta']],
    ['q=crm-1', ['Del_ta', 'Gamma', 'Alpha']],
    ['q=crm-1&status=churned', ['Gamma']],
    ['q=%25', ['Beta']],
    ['q=_', ['Del_ta']],
    ['q=%5C', ['Del_ta']],
    ['q=0%25%20A', ['Beta']],
    ['q=l_h', []],
    ['q=', ['Del_ta', 'Gamma', 'Beta', 'Alpha']],
    ['q=nothing', []],
  ])('search for the literal text of %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('by partner select its customers, not those of partners below', async () => {
    expect(await names(`partnerId=${child.id}`)).toEqual(['Del_ta', 'Gamma']);
    expect(await names(`partnerId=${parent.id}`)).toEqual(['Beta', 'Alpha']);
    expect(await names(`partnerId=${parent.id.toUpperCase()}&status=prospect`)).toEqual(['Alpha']);
  });

  it('by a partner outside the subtree select nothing', async () => {
    expect(await names(`partnerId=${stranger.id}`)).toEqual([]);
    expect(await names(`partnerId=${parent.id}`, child)).toEqual([]);
    expect(await names('partnerId=7d3b1c3e-6a0f-4b5e-9a59-0d7a5a9f4f3c')).toEqual([]);
    expect(await names('externalRef=crm-1', child)).toEqual(['Gamma']);
    expect(await names('q=alpha', child)).toEqual([]);
    expect(await names('status=churned', stranger)).toEqual(['Alpha']);
  });

  it.each(['status=active', 'q=a', 'externalRef=crm-1', 'status=active&q=e'])(
    'pages %s by offset and by key',
    async (query) => {
      const all = await names(query);
      expect(all.length).toBeGreaterThan(1);
      expect(await names(`${query}&limit=1&offset=1`)).toEqual(all.slice(1, 2));
      const { body, headers } = await api.as(parent.readToken).get(`/v1/customers?${query}&limit=1`);
      expect(headers.get('link')).toContain(`after=${body[0].id}`);
      expect(await names(`${query}&after=${body[0].id}`)).toEqual(all.slice(1));
    },
  );
});
