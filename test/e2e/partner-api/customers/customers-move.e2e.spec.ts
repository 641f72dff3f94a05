import { aCustomer } from '../../../support/builders/a-customer.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { cli } from '../../../support/processes/cli.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

describe('customers of a partner that staff moves', () => {
  let api: RunningPartnerApi;

  beforeAll(async () => {
    api = await startPartnerApi();
  });

  afterAll(() => api.close());

  it('are visible to the new ancestors and no longer to the old ones, in lists and by id', async () => {
    const [from, to] = [await aPartner(api.app), await aPartner(api.app)];
    const moved = await aPartner(api.app, { parentId: from.id });
    const below = await aPartner(api.app, { parentId: moved.id });
    const { id, humanId } = await aCustomer(api.app, below.id);
    const seenBy = async (partner: PartnerWithTokens) => {
      const client = api.as(partner.readToken);
      const list = await client.get('/v1/customers');
      const walk = await client.get('/v1/customers?status=active');
      const one = await client.get(`/v1/customers/${id}`);
      return [list.body.length, walk.body.length, one.status];
    };
    expect([await seenBy(from), await seenBy(to)]).toEqual([
      [1, 1, 200],
      [0, 0, 404],
    ]);
    const move = await cli(api.database.url, ['partners', 'move', moved.id, '--parent', to.id]);
    expect(move).toMatchObject({ code: 0, stderr: '' });
    expect([await seenBy(from), await seenBy(to), await seenBy(below)]).toEqual([
      [0, 0, 404],
      [1, 1, 200],
      [1, 1, 200],
    ]);
    const { body } = await api.as(to.readToken).get(`/v1/customers/${id}`);
    expect([body.partnerId, body.humanId]).toEqual([below.id, humanId]);
  });
});
