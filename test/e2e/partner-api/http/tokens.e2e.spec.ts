import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

describe('tokens of the own account', () => {
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;
  let parent: PartnerWithTokens;

  beforeAll(async () => {
    api = await startPartnerApi();
    parent = await aPartner(api.app, { type: 'distributor' });
    partner = await aPartner(api.app, { name: 'Northwind', parentId: parent.id });
  });

  afterAll(() => api.close());

  it('show the caller and the rights of the token', async () => {
    const write = await api.as(partner.writeToken).get('/v1/me');
    expect(write.body).toEqual({ partnerId: partner.id, name: 'Northwind', type: 'reseller', scope: 'write' });
    const read = await api.as(partner.readToken).get('/v1/me');
    expect(read.body.scope).toBe('read');
  });

  it('show the secret of a new token once, and later only its prefix', async () => {
    const created = await api.as(partner.writeToken).post('/v1/tokens', { label: ' sync ', scope: 'read' });
    expect(created.status).toBe(201);
    expect(created.body.token).toMatch(/^pcp_[0-9A-Za-z]{36}$/);
    expect(created.body.label).toBe('sync');
    expect(created.body.tokenPrefix).toBe(created.body.token.slice(4, 12));
    const list = await api.as(partner.readToken).get('/v1/tokens');
    const listed = list.body.find((token: { id: string }) => token.id === created.body.id);
    const { token: secret, ...record } = created.body;
    expect(listed).toEqual(record);
    expect(list.text).not.toContain(secret);
    expect(api.logs()).not.toContain(secret);
  });

  it('name the token that created them; tokens of the staff name themselves', async () => {
    const list = await api.as(partner.readToken).get('/v1/tokens');
    const byStaff = list.body.filter((token: { label: string }) => token.label.startsWith('test '));
    expect(byStaff).toHaveLength(2);
    for (const token of byStaff) expect(token.createdBy).toBe(token.id);
    const writeId = byStaff.find((token: { scope: string }) => token.scope === 'write').id;
    const created = await api.as(partner.writeToken).post('/v1/tokens', { label: 'child', scope: 'write' });
    expect(created.body.createdBy).toBe(writeId);
  });

  it('are listed newest first, including revoked ones', async () => {
    const { body } = await api.as(partner.readToken).get('/v1/tokens');
    const times = body.map((token: { createdAt: string }) => token.createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('refuse a write with a read token', async () => {
    const answer = await api.as(partner.readToken).post('/v1/tokens', { label: 'x', scope: 'read' });
    expect(answer.status).toBe(403);
    expect(answer.body.error.code).toBe('forbidden');
  });

  it.each([
    [{}, ['label', 'scope']],
    [{ label: '   ', scope: 'read' }, ['label']],
    [{ label: 'x'.repeat(201), scope: 'read' }, ['label']],
    [{ label: 'a\u0000b', scope: 'read' }, ['label']],
    [{ label: '\ud800', scope: 'read' }, ['label']],
    [{ label: null, scope: 'read' }, ['label']],
    [{ label: 7, scope: 'admin' }, ['label', 'scope']],
    [{ label: 'x', scope: ['read'] }, ['scope']],
  ])('name every invalid field of %j', async (body, fields) => {
    const answer = await api.as(partner.writeToken).post('/v1/tokens', body);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('x-error-reason')).toBe('validation');
    for (const field of fields) expect(answer.body.error.message).toContain(field);
  });

  it('limit labels by characters, not by UTF-16 code units', async () => {
    const create = (label: string) => api.as(partner.writeToken).post('/v1/tokens', { label, scope: 'read' });
    const longest = '😀'.repeat(200);
    expect((await create(longest)).body).toMatchObject({ label: longest });
    expect((await create(`${longest}x`)).status).toBe(422);
  });

  it('ignore unknown fields', async () => {
    const answer = await api.as(partner.writeToken).post('/v1/tokens', {
      label: 'x',
      scope: 'read',
      id: partner.id,
      revokedAt: '2020-01-01T00:00:00Z',
      partnerId: parent.id,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ partnerId: partner.id, revokedAt: null });
    expect(answer.body.id).not.toBe(partner.id);
  });

  it('are revoked at once and forever, and a second revocation is accepted', async () => {
    const { body } = await api.as(partner.writeToken).post('/v1/tokens', { label: 'short-lived', scope: 'write' });
    expect((await api.as(body.token).get('/v1/me')).status).toBe(200);
    expect((await api.as(partner.writeToken).delete(`/v1/tokens/${body.id}`)).status).toBe(204);
    expect((await api.as(body.token).get('/v1/me')).status).toBe(401);
    const first = (await api.as(partner.readToken).get('/v1/tokens')).body.find(
      (t: { id: string }) => t.id === body.id,
    );
    expect((await api.as(partner.writeToken).delete(`/v1/tokens/${body.id}`)).status).toBe(204);
    const again = (await api.as(partner.readToken).get('/v1/tokens')).body.find(
      (t: { id: string }) => t.id === body.id,
    );
    expect(again.revokedAt).toBe(first.revokedAt);
  });

  it('can revoke themselves', async () => {
    const { body } = await api.as(partner.writeToken).post('/v1/tokens', { label: 'self', scope: 'write' });
    expect((await api.as(body.token).delete(`/v1/tokens/${body.id}`)).status).toBe(204);
    expect((await api.as(body.token).get('/v1/me')).status).toBe(401);
  });

  it('answer 404 in the same way for a foreign, a missing and a malformed id', async () => {
    const own = (await api.as(partner.readToken).get('/v1/tokens')).body[0].id;
    const answers = await Promise.all(
      [own, '00000000-0000-4000-8000-000000000000', 'nonsense', '%00', `{${own}}`].map((id) =>
        api.as(parent.writeToken).delete(`/v1/tokens/${id}`),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(answers[0]?.body);
    }
    expect((await api.as(partner.readToken).get('/v1/me')).status).toBe(200);
  });
});
