import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { databaseDump, spellings } from '../../../support/database-dump.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

describe('Idempotency-Key', () => {
  const clock = new FixedClock('2026-05-01T10:00:00Z');
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    partner = await aPartner(api.app);
  });

  afterAll(() => api.close());

  const create = (key: string, label: string, token = partner.writeToken) =>
    api.as(token).post('/v1/tokens', { label, scope: 'read' }, { 'idempotency-key': key });
  const count = async (label: string) => {
    const { body } = await api.as(partner.readToken).get('/v1/tokens');
    return body.filter((token: { label: string }) => token.label === label).length;
  };

  it('returns the first response to a repeated request, including its secret', async () => {
    const first = await create('k-1', 'once');
    const repeat = await create('k-1', 'once');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(repeat.status).toBe(201);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(repeat.text).toBe(first.text);
    expect(await count('once')).toBe(1);
  });

  it('stores no secret that can be read from the database alone', async () => {
    const { body } = await create('k-secret', 'sealed');
    const dump = await databaseDump(api.database.url);
    expect(dump).toContain('platform.idempotent_answers');
    expect(dump).toContain(body.id);
    for (const secret of [body.token, 'k-secret', partner.writeToken]) {
      for (const text of spellings(secret)) expect(dump).not.toContain(text);
    }
  });

  it('refuses the same key for another request', async () => {
    await create('k-2', 'one');
    const other = await create('k-2', 'two');
    expect(other.status).toBe(422);
    expect(other.headers.get('x-error-reason')).toBe('idempotency-key-reused');
    expect(await count('two')).toBe(0);
  });

  it('ignores a query without meaning when it compares requests', async () => {
    const send = (path: string) =>
      api.as(partner.writeToken).post(path, { label: 'queried', scope: 'read' }, { 'idempotency-key': 'k-query' });
    const [first, repeat] = [await send('/v1/tokens'), await send('/v1/tokens?trace=1')];
    expect([first.status, repeat.status, repeat.text]).toEqual([201, 201, first.text]);
  });

  it('ignores the order of members when it compares bodies', async () => {
    const send = (body: object) =>
      api.as(partner.writeToken).post('/v1/tokens', body, { 'idempotency-key': 'k-order' });
    const first = await send({ label: 'ordered', scope: 'read' });
    const repeat = await send({ scope: 'read', label: 'ordered' });
    expect([first.status, repeat.status]).toEqual([201, 201]);
    expect(repeat.text).toBe(first.text);
  });

  it('belongs to one token', async () => {
    await create('k-3', 'mine');
    const { body } = await api.as(partner.writeToken).post('/v1/tokens', { label: 'second writer', scope: 'write' });
    const other = await create('k-3', 'theirs', body.token);
    expect(other.status).toBe(201);
    expect(other.headers.get('idempotent-replayed')).toBeNull();
  });

  it('also repeats a refusal', async () => {
    const bad = () => api.as(partner.writeToken).post('/v1/tokens', { scope: 'read' }, { 'idempotency-key': 'k-4' });
    const [first, repeat] = [await bad(), await bad()];
    expect([first.status, repeat.status]).toEqual([422, 422]);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(repeat.headers.get('x-error-reason')).toBe('validation');
    expect(repeat.text).toBe(first.text);
  });

  it('repeats a 404 with its headers', async () => {
    const note = () =>
      api
        .as(partner.writeToken)
        .post(
          '/v1/customers/11111111-2222-4333-8444-555555555555/notes',
          { body: 'x' },
          { 'idempotency-key': 'k-404' },
        );
    const [first, repeat] = [await note(), await note()];
    expect([first.status, repeat.status]).toEqual([404, 404]);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect([first, repeat].map(({ headers }) => headers.get('x-error-reason'))).toEqual([null, null]);
  });

  it('has one effect for twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('k-5', 'crowd')));
    const made = answers.filter((answer) => answer.status === 201);
    const waiting = answers.filter((answer) => answer.status === 409);
    expect(made.length + waiting.length).toBe(20);
    expect(new Set(made.map((answer) => answer.text)).size).toBe(1);
    for (const answer of waiting) expect(answer.headers.get('x-error-reason')).toBe('idempotency-key-in-progress');
    expect(await count('crowd')).toBe(1);
  });

  it('is forgotten after 24 hours', async () => {
    const first = await create('k-6', 'daily');
    clock.advance(24 * 3_600_000 + 1);
    const next = await create('k-6', 'daily');
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(first.body.id);
  });

  it.each([
    ['', 'empty'],
    ['x'.repeat(256), 'too long'],
  ])('refuses a key of %j (%s)', async (key) => {
    const answer = await create(key, 'never');
    expect(answer.status).toBe(422);
    expect(answer.body.error.message).toContain('Idempotency-Key');
    expect(await count('never')).toBe(0);
  });

  it('is ignored on a GET', async () => {
    const answer = await api.as(partner.readToken).get('/v1/me', { 'idempotency-key': 'k-1' });
    expect(answer.status).toBe(200);
  });
});
