import { createHash } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import { LicenseService } from '#libs/licensing';
import { newId, order } from '../../../contract/license-service/license-service.contract.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import { KeygenStub } from '../../../support/licensing/keygen-stub.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const VALIDATE = '/license-service/v1/validate';
const LATER = new Date('2026-05-01T13:00:00.000Z');
const WELL_FORMED_BUT_INVENTED = '000000-000000-000000-000000-000000';

describe('the validation of license keys', () => {
  const clock = new FixedClock('2026-05-01T12:00:00.000Z');
  let api: RunningPartnerApi;
  let service: LicenseService;
  let visitor = 0;

  beforeAll(async () => {
    api = await startPartnerApi({ clock, settings: { TRUSTED_PROXIES: '127.0.0.1' } });
    service = api.app.get(LicenseService);
  });
  afterAll(() => api?.close());
  // The rate limit counts by address, so each test uses another one.
  beforeEach(() => void visitor++);

  const visiting = () => ({ 'x-forwarded-for': `203.0.113.${visitor}` });
  const ask = (key: unknown) => api.as(null).post(VALIDATE, { key }, visiting());

  async function issue(expiresAt: Date | null = null): Promise<{ id: Uuid; key: string }> {
    const id = newId();
    return { id, key: (await service.issue(order(id, { expiresAt }))).reveal() };
  }

  it('needs no token and finds a valid key', async () => {
    const { key } = await issue();
    const answer = await ask(key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      valid: true,
      code: 'VALID',
      edition: 'power-user',
      expiresAt: null,
      issuedAt: '2026-05-01T12:00:00.000Z',
      validUntil: '2026-05-02T12:00:00.000Z',
      keyHash: createHash('sha256').update(key).digest('hex'),
      document: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
  });

  it('accepts the key in any spelling', async () => {
    const { key } = await issue();
    expect((await ask(` ${key.toLowerCase().replaceAll('-', '')} `)).body).toMatchObject({ code: 'VALID' });
  });

  it('follows the license through suspension, reinstatement, expiry and revocation', async () => {
    const { id, key } = await issue(LATER);
    const code = async () => (await ask(key)).body.code as string;
    const seen = [await code()];
    await service.suspend(id);
    seen.push(await code());
    await service.reinstate(id);
    seen.push(await code());
    clock.set(LATER.toISOString());
    seen.push(await code());
    await service.suspend(id);
    seen.push(await code());
    await service.revoke(id);
    seen.push(await code());
    clock.set('2026-05-01T12:00:00.000Z');
    expect(seen).toEqual(['VALID', 'SUSPENDED', 'VALID', 'EXPIRED', 'SUSPENDED', 'NOT_FOUND']);
  });

  it('no longer finds a key that a repeated order has replaced', async () => {
    const { id, key } = await issue();
    const replacement = (await service.issue(order(id))).reveal();
    expect((await ask(key)).body).toMatchObject({ valid: false, code: 'NOT_FOUND' });
    expect((await ask(replacement)).body).toMatchObject({ valid: true });
  });

  it.each([
    ['an invented key', WELL_FORMED_BUT_INVENTED],
    ['no key at all', 'hello'],
    ['an empty text', ''],
    ['a NUL', '\u0000'],
    ['a long text', 'A'.repeat(100_000)],
  ])('answers only "not found" for %s', async (_what, key) => {
    const answer = await ask(key);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ valid: false, code: 'NOT_FOUND', edition: null, expiresAt: null });
  });

  it.each([
    ['is missing', {}],
    ['is null', { key: null }],
    ['is a number', { key: 7 }],
    ['is a list', { key: ['x'] }],
  ])('refuses a body whose key %s', async (_what, body) => {
    const answer = await api.as(null).post(VALIDATE, body, visiting());
    expect(answer.status).toBe(422);
    expect(answer.body.error).toEqual({ code: 'unprocessable-entity', message: 'key must be a string' });
  });

  it('refuses a body that is not a JSON object', async () => {
    const call = (raw: string) => api.as(null).call('POST', VALIDATE, { raw, headers: visiting() });
    expect((await call('{"key":')).status).toBe(400);
    expect((await call('[]')).status).toBe(422);
  });

  it('needs one query for every result, so that the time reveals nothing', async () => {
    const valid = await issue();
    const suspended = await issue();
    await service.suspend(suspended.id);
    const expired = await issue(new Date('2026-05-01T11:00:00.000Z'));
    const mistyped = `${valid.key.slice(0, -1)}${valid.key.endsWith('0') ? '1' : '0'}`;
    const codes: string[] = [];
    const statements: string[][] = [];
    await ask(valid.key);
    const query = jest.spyOn(pg.Client.prototype, 'query');
    try {
      for (const key of [valid.key, suspended.key, expired.key, WELL_FORMED_BUT_INVENTED, mistyped, 'hello']) {
        query.mockClear();
        codes.push((await ask(key)).body.code as string);
        statements.push(query.mock.calls.map(([statement]) => (statement as unknown as { name: string }).name));
      }
    } finally {
      query.mockRestore();
    }
    expect(codes).toEqual(['VALID', 'SUSPENDED', 'EXPIRED', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    expect(statements).toEqual(Array(6).fill(['license-state-by-key']));
  });

  it('throttles an address after 20 requests at once, and no other address', async () => {
    const answers = await Promise.all(Array.from({ length: 120 }, () => ask('guess')));
    const braked = answers.filter(({ status }) => status === 429);
    expect(braked.length).toBeGreaterThanOrEqual(10);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
    expect(Number(braked[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    visitor++;
    expect((await ask('guess')).status).toBe(200);
  });

  it('publishes its keys as a JWK set', async () => {
    const answer = await api.as(null).get('/license-service/v1/keys', visiting());
    expect(answer.status).toBe(200);
    expect(answer.body.keys).toEqual([
      expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }),
    ]);
    expect(answer.body.keys[0]).not.toHaveProperty('d');
  });

  it('stores no key in clear, neither in the log nor in the database', async () => {
    const { key } = await issue();
    await ask(key);
    const rows: unknown = await api.app.get(DataSource).query('select l::text from license_service.licenses l');
    const kept = api.logs() + JSON.stringify(rows);
    expect(kept).toContain(`…${key.slice(-6)}`);
    for (const form of [key, key.replaceAll('-', ''), key.slice(0, 20)]) expect(kept).not.toContain(form);
  });

  it('is not available while Keygen is the license service', async () => {
    const policy = newId();
    const stub = await new KeygenStub([policy]).start();
    const other = await startPartnerApi({
      database: api.database,
      settings: {
        LICENSE_SERVICE: 'keygen',
        KEYGEN_HOST: stub.origin,
        KEYGEN_ACCOUNT_ID: stub.accountId,
        KEYGEN_TOKEN: stub.token,
        EDITIONS: `power-user=${policy}`,
        SECRETS_KEYS: '',
      },
    });
    try {
      expect((await other.as(null).post(VALIDATE, { key: 'x' })).status).toBe(404);
      const key = await other.app.get(LicenseService).issue(order(newId()));
      expect(stub.keys).toEqual([key.reveal()]);
      expect(other.logs()).not.toContain(key.reveal());
    } finally {
      await other.close();
      await stub.stop();
    }
  });
});
