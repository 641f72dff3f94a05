import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { Authentication, OrganisationSecrets, Resealing, Sessions } from '#libs/panel-auth';
import { KeyRing } from '#platform/key-ring';
import { proveKeyRing } from '#platform/sealed/key-ring-proof';
import { SessionTokens } from '../../../../libs/panel-auth/src/application/session-tokens.js';
import { aCustomer, aKey, anAdminKey, anOrganisation, aSessionCookie } from '../../../support/builders/a-panel-user.js';
import { SECRETS_KEY, startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const SECRETS = '/api/v1/secrets';

describe('secrets and the audit log', () => {
  let api: RunningPanelApi;
  let admin: string;
  let database: pg.Client;

  beforeAll(async () => {
    api = await startPanelApi();
    admin = await anAdminKey(api.app);
    database = new pg.Client({ connectionString: api.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await api?.close();
  });

  describe('secrets of an organisation', () => {
    it('are written, overwritten, listed by name and deleted, and never read back', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const client = api.as(await aKey(api.app, user, {}, organisation.id));
      const written = await client.post(SECRETS, { name: 'SMTP_PASSWORD', value: 'first-hunter2' });
      expect(written.status).toBe(201);
      expect(written.body).toEqual({
        name: 'SMTP_PASSWORD',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      expect((await client.post(SECRETS, { name: 'SMTP_PASSWORD', value: 'second-hunter2' })).status).toBe(200);
      await client.post(SECRETS, { name: 'A_KEY', value: 'x' });
      const list = await client.get(SECRETS);
      expect(list.body.secrets.map((secret: { name: string }) => secret.name)).toEqual(['A_KEY', 'SMTP_PASSWORD']);
      expect(list.text + written.text + api.logs()).not.toContain('hunter2');
      const values = await api.app.get(OrganisationSecrets).resolve(organisation.id, ['SMTP_PASSWORD', 'NONE']);
      expect([...values].map(([name, value]) => [name, value.reveal()])).toEqual([['SMTP_PASSWORD', 'second-hunter2']]);
      expect((await client.delete(`${SECRETS}/SMTP_PASSWORD`)).status).toBe(204);
      for (const gone of ['SMTP_PASSWORD', '%00', 'A%00B']) {
        expect((await client.delete(`${SECRETS}/${gone}`)).status).toBe(404);
      }
    });

    it('belong to the organisation of the key’s creator, whatever the key is bound to', async () => {
      const { user, organisation: home } = await aCustomer(api.app);
      const below = await anOrganisation(api.app, home.id);
      const bound = api.as(await aKey(api.app, user, {}, below.id));
      await bound.post(SECRETS, { name: 'FROM_BELOW', value: 'x' });
      const cookie = await aSessionCookie(api.app, user);
      const names = (await api.as(null).get(SECRETS, { cookie })).body.secrets.map((s: { name: string }) => s.name);
      expect(names).toEqual(['FROM_BELOW']);
      expect((await api.app.get(OrganisationSecrets).resolve(home.id, ['FROM_BELOW'])).size).toBe(1);
      expect((await api.app.get(OrganisationSecrets).resolve(below.id, ['FROM_BELOW'])).size).toBe(0);
    });

    it('are shared by the members and hidden from everybody else', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const colleague = await aCustomer(api.app, { organisation });
      const stranger = await aCustomer(api.app);
      await api.as(await aKey(api.app, user, {}, organisation.id)).post(SECRETS, { name: 'SHARED', value: 'x' });
      const of = async (who: typeof stranger) =>
        (await api.as(await aKey(api.app, who.user, {}, who.organisation.id)).get(SECRETS)).body.secrets.length;
      expect([await of(colleague), await of(stranger)]).toEqual([1, 0]);
      expect((await api.as(admin).get(SECRETS)).status).toBe(404);
    });

    it.each([
      [{ name: 'lower', value: 'x' }, '/name'],
      [{ name: '1ST', value: 'x' }, '/name'],
      [{ name: 'A'.repeat(65), value: 'x' }, '/name'],
      [{ name: 'A' }, '/value'],
      [{ name: 'A', value: '' }, '/value'],
      [{ name: 'A', value: 'v\u0000' }, '/value'],
      [{ name: 'A', value: 7 }, '/value'],
    ])('are refused as %j', async (body, path) => {
      const { user, organisation } = await aCustomer(api.app);
      const answer = await api.as(await aKey(api.app, user, {}, organisation.id)).post(SECRETS, body);
      expect(answer.status).toBe(422);
      expect(answer.body.error.details[0].path).toBe(path);
    });

    it('report all errors at once, including values with too many bytes', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const client = api.as(await aKey(api.app, user, {}, organisation.id));
      const { status, body } = await client.post(SECRETS, { name: 'lower', value: 'é'.repeat(40_000) });
      const paths = body.error.details.map(({ path }: { path: string }) => path).sort();
      expect([status, paths]).toEqual([422, ['/name', '/value']]);
    });

    it('accept eight concurrent writes of one name', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const client = api.as(await aKey(api.app, user, {}, organisation.id));
      const writes = Array.from({ length: 8 }, (_, n) => client.post(SECRETS, { name: 'RACE', value: `value ${n}` }));
      const statuses = (await Promise.all(writes)).map((answer) => answer.status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
      const [value] = (await api.app.get(OrganisationSecrets).resolve(organisation.id, ['RACE'])).values();
      expect(value?.reveal()).toMatch(/^value \d$/);
    });

    it('cannot be decrypted in another row, and a deployment then reports them as missing', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const client = api.as(await aKey(api.app, user, {}, organisation.id));
      for (const name of ['ONE', 'TWO']) await client.post(SECRETS, { name, value: `value of ${name}` });
      await database.query(
        `update panel_auth.organisation_secrets s set sealed_value = other.sealed_value
         from panel_auth.organisation_secrets other
        where s.organisation_id = $1 and other.organisation_id = $1 and s.id <> other.id`,
        [organisation.id],
      );
      expect((await api.app.get(OrganisationSecrets).resolve(organisation.id, ['ONE', 'TWO'])).size).toBe(0);
    });

    it('are recorded in the audit log with the name and without the value', async () => {
      const { user, organisation } = await aCustomer(api.app);
      await api.as(await aKey(api.app, user, {}, organisation.id)).post(SECRETS, { name: 'AUDITED', value: 'hunter3' });
      const page = await api.as(admin).get(`/api/v1/audit?action=secret.written&userId=${user.id}`);
      expect(page.body.data).toHaveLength(1);
      expect(page.body.data[0]).toMatchObject({ target: 'AUDITED', organisationId: organisation.id, userId: user.id });
      expect(page.text).not.toContain('hunter3');
      expect(new SecretText('hunter3').toString()).toBe('[redacted]');
    });
  });

  describe('the audit log', () => {
    it('shows who did what with which key, newest first', async () => {
      const { body } = await api.as(admin).post('/api/v1/api-keys', { name: 'child' });
      const { id } = (await api.as(admin).get('/api/v1/api-keys')).body.keys[0];
      await api.as(admin).delete(`/api/v1/api-keys/${id}`);
      const { data } = (await api.as(admin).get('/api/v1/audit?pageSize=2')).body;
      expect(data.map((entry: { action: string }) => entry.action)).toEqual(['api_key.revoked', 'api_key.created']);
      expect(data[1]).toMatchObject({
        target: id,
        detail: { name: 'child', role: 'admin', prefix: body.key.slice(0, 11) },
      });
      expect(data[1].apiKeyId).not.toBeNull();
    });

    it.each([
      ['page=0&pageSize=0', { page: 1, pageSize: 20 }],
      ['page=x&pageSize=101', { page: 1, pageSize: 20 }],
      ['page=-1&pageSize=100', { page: 1, pageSize: 100 }],
      ['page=2&pageSize=1', { page: 2, pageSize: 1 }],
      ['page=99999999999999999999&pageSize=1.5', { page: 1, pageSize: 20 }],
      ['', { page: 1, pageSize: 20 }],
    ])('falls back to defaults for the page %s', async (query, expected) => {
      const { status, body } = await api.as(admin).get(`/api/v1/audit?${query}`);
      expect(status).toBe(200);
      expect(body.pagination).toMatchObject(expected);
      expect(body.pagination.totalPages).toBe(Math.ceil(body.pagination.total / body.pagination.pageSize));
    });

    it('can be filtered by action, user and organisation, and refuses invalid filters', async () => {
      const { user, organisation } = await aCustomer(api.app);
      await aKey(api.app, user, {}, organisation.id);
      const of = async (query: string) =>
        (await api.as(admin).get(`/api/v1/audit?${query}`)).body.data.map((entry: { action: string }) => entry.action);
      expect(await of(`organisationId=${organisation.id}`)).toEqual([
        'api_key.created',
        'membership.added',
        'organisation.created',
      ]);
      expect(await of(`organisationId=${organisation.id}&action=membership.added`)).toEqual(['membership.added']);
      for (const query of ['action=nothing', 'userId=x', 'organisationId=1']) {
        expect((await api.as(admin).get(`/api/v1/audit?${query}`)).status).toBe(422);
      }
    });

    it.each([
      'update panel_auth.audit_log set target = null',
      'delete from panel_auth.audit_log',
      'truncate panel_auth.audit_log',
    ])('cannot be changed or deleted: %s', async (statement) => {
      await expect(database.query(statement)).rejects.toThrow('only ever added to');
    });
  });

  // Last in this file: Passport keeps its strategies per process, so further instances take over those of the first.
  describe('secrets during a key rotation', () => {
    const K2 = `k2:${randomBytes(32).toString('base64')}`;
    const value = async (running: RunningPanelApi, organisationId: string) =>
      [
        ...(await running.app.get(OrganisationSecrets).resolve(organisationId as never, ['ROTATED'])).values(),
      ][0]?.reveal();

    it('are encrypted again while the installation is in use, and then the old key can be removed', async () => {
      const { user, organisation } = await aCustomer(api.app);
      const client = api.as(await aKey(api.app, user, {}, organisation.id));
      await client.post(SECRETS, { name: 'ROTATED', value: 'kept' });
      const both = { database: api.database, settings: { SECRETS_KEYS: `${K2},${SECRETS_KEY}` } };
      const rotating = await startPanelApi(both);
      expect(await value(rotating, organisation.id)).toBe('kept');
      const [first] = await Promise.all([rotating.app.get(Resealing).run(), rotating.app.get(Resealing).run()]);
      expect(first.map(({ column }) => column)).toEqual(['sessions.tokens', 'organisation_secrets.value']);
      const again = await rotating.app.get(Resealing).run();
      for (const { resealed, unreadable } of again) expect([resealed, unreadable]).toEqual([0, expect.any(Number)]);
      // Like the report of `cli secrets rotate`. Secrets that other tests have damaged stay unreadable.
      await proveKeyRing(rotating.app.get(DataSource), KeyRing.parse(`${K2},${SECRETS_KEY}`));
      await rotating.close();
      const newest = await startPanelApi({ database: api.database, settings: { SECRETS_KEYS: K2 } });
      expect(await value(newest, organisation.id)).toBe('kept');
      await newest.close();
      // The first process does not know the new key, so it refuses everything that was encrypted with it.
      expect(await value(api, organisation.id)).toBeUndefined();
    });

    it('lose no session if the rotation is interrupted, and running it again completes it', async () => {
      const { user } = await aCustomer(api.app);
      const opened = await api.app.get(Sessions).open(user, {
        expiresInSeconds: 3_600,
        userAgent: null,
        idToken: new SecretText('eyJ.id.token'),
      });
      // Three pages of sessions, each encrypted for its own row.
      const seal = (id: Uuid) => api.app.get(SessionTokens, { strict: false }).seal(new SecretText('x'), id);
      const ids = Array.from({ length: 450 }, () => randomUUID() as Uuid);
      await database.query(
        `insert into panel_auth.sessions (id, user_id, cookie_hash, sealed_tokens, created_at, expires_at)
         select id, $1, sha256(id::text::bytea), sealed, now(), now() + interval '1 hour'
           from unnest($2::uuid[], $3::bytea[]) as given (id, sealed)`,
        [user.id, ids, ids.map(seal)],
      );
      const settings = { SECRETS_KEYS: `k3:${randomBytes(32).toString('base64')},${K2},${SECRETS_KEY}` };
      const rotating = await startPanelApi({ database: api.database, settings });
      const signedIn = () => rotating.app.get(Authentication).bySession(opened.cookie, null);
      // A lock on a row of the second page holds the run there until its connections are cut.
      await database.query('begin');
      await database.query('select 1 from panel_auth.sessions where id = $1 for update', [[...ids].sort()[300]]);
      const broken = expect(rotating.app.get(Resealing).run()).rejects.toThrow();
      const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await database.query(waiting)).rowCount === 0) expect((await signedIn()).user.id).toBe(user.id);
      await database.query(`select pg_terminate_backend(pid) from (${waiting}) as those`);
      await broken;
      await database.query('rollback');
      const [sessions] = await rotating.app.get(Resealing).run();
      expect(sessions!.resealed).toBeLessThan(451);
      expect(sessions!.resealed + sessions!.upToDate).toBeGreaterThanOrEqual(451);
      const [again] = await rotating.app.get(Resealing).run();
      expect(again!.resealed).toBe(0);
      expect((await signedIn()).user.id).toBe(user.id);
      await rotating.close();
    });
  });
});
