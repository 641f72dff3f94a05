import pg from 'pg';
import { SecretText } from '#kernel/crypto/secret-text';
import { ApiKeys, Authentication, CredentialWatch, Directory, Sessions, type Caller } from '#libs/panel-auth';
import { SessionSweeper } from '../../../../apps/panel-api/src/auth/session-sweeper.js';
import { SessionTokens } from '../../../../libs/panel-auth/src/application/session-tokens.js';
import { aCustomer, aKey, aPanelUser, aSessionCookie } from '../../../support/builders/a-panel-user.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const ME = '/api/v1/auth/me';
const SESSIONS = '/api/v1/auth/sessions';
const KEYS = '/api/v1/api-keys';

describe('sessions', () => {
  const clock = new FixedClock('2026-03-01T12:00:00Z');
  let api: RunningPanelApi;
  let database: pg.Client;

  beforeAll(async () => {
    api = await startPanelApi({ clock });
    database = new pg.Client({ connectionString: api.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await api?.close();
  });

  it('end at the time that was set at sign-in, however much they are used', async () => {
    const user = await aPanelUser(api.app, 'customer');
    const cookie = await aSessionCookie(api.app, user, 600);
    for (let minute = 0; minute < 10; minute++) {
      expect((await api.as(null).get(ME, { cookie })).status).toBe(200);
      clock.advance(minute === 9 ? 59_999 : 60_000);
    }
    expect((await api.as(null).get(ME, { cookie })).status).toBe(200);
    clock.advance(1);
    expect((await api.as(null).get(ME, { cookie })).status).toBe(401);
    clock.advance(-1);
    expect((await api.as(null).get(ME, { cookie })).status).toBe(200);
  });

  it('are deleted together with abandoned sign-ins once they have expired, and not before', async () => {
    const user = await aPanelUser(api.app, 'customer');
    for (const seconds of [600, 1_200]) await aSessionCookie(api.app, user, seconds);
    const count = `select (select count(*)::int from panel_auth.sessions where user_id = $1) as sessions,
                          (select count(*)::int from panel_auth.used_sign_ins) as sign_ins`;
    for (const seconds of [600, 1_200]) {
      await database.query('insert into panel_auth.used_sign_ins (state_hash, expires_at) values ($1, $2)', [
        new SecretText(`state ${seconds}`).sha256(),
        new Date(clock.now().getTime() + seconds * 1_000),
      ]);
    }
    for (const left of [2, 1, 0]) {
      await api.app.get(SessionSweeper).sweep();
      expect((await database.query(count, [user.id])).rows).toEqual([{ sessions: left, sign_ins: left }]);
      clock.advance(600_000);
    }
  });

  it('are listed and ended by their owner, and by nobody else', async () => {
    const [owner, other] = [await aPanelUser(api.app, 'customer'), await aPanelUser(api.app, 'admin')];
    const [here, there] = [await aSessionCookie(api.app, owner), await aSessionCookie(api.app, owner)];
    const { sessions } = (await api.as(null).get(SESSIONS, { cookie: here })).body;
    expect(sessions).toHaveLength(2);
    expect(sessions.filter((session: { current: boolean }) => session.current)).toHaveLength(1);
    const elsewhere = sessions.find((session: { current: boolean }) => !session.current).id;
    const foreign = { cookie: await aSessionCookie(api.app, other), origin: api.url };
    expect((await api.as(null).delete(`${SESSIONS}/${elsewhere}`, foreign)).status).toBe(404);
    expect((await api.as(null).get(ME, { cookie: there })).status).toBe(200);
    const own = { cookie: here, origin: api.url };
    expect((await api.as(null).delete(`${SESSIONS}/${elsewhere}`, own)).status).toBe(204);
    expect((await api.as(null).delete(`${SESSIONS}/${elsewhere}`, own)).status).toBe(404);
    expect((await api.as(null).get(ME, { cookie: there })).status).toBe(401);
    expect((await api.as(null).get(ME, { cookie: here })).status).toBe(200);
  });

  it('are neither shown to a key of their owner nor ended by it', async () => {
    const user = await aPanelUser(api.app, 'admin');
    const cookie = await aSessionCookie(api.app, user);
    const [{ id }] = (await api.as(null).get(SESSIONS, { cookie })).body.sessions;
    const key = await aKey(api.app, user);
    expect((await api.as(key).get(SESSIONS)).status).toBe(404);
    expect((await api.as(key).delete(`${SESSIONS}/${id}`)).status).toBe(404);
    expect((await api.as(null).get(ME, { cookie })).status).toBe(200);
  });

  it('end with their user', async () => {
    const user = await aPanelUser(api.app, 'customer');
    const cookie = await aSessionCookie(api.app, user);
    await api.app.get(Directory).disableUser(user.id);
    expect((await api.as(null).get(ME, { cookie })).status).toBe(401);
  });

  it('cannot be used with the stored hash, or with two cookies of the same name', async () => {
    const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'customer'));
    const { rows } = await database.query<{ cookie_hash: Buffer }>('select cookie_hash from panel_auth.sessions');
    for (const { cookie_hash: hash } of rows) {
      for (const value of [hash.toString('base64url'), hash.toString('hex')]) {
        expect((await api.as(null).get(ME, { cookie: `oidc_session=${value}` })).status).toBe(401);
      }
    }
    for (const twice of [`${cookie}; oidc_session=tossed`, `oidc_session=tossed; ${cookie}`, `${cookie}; ${cookie}`]) {
      expect((await api.as(null).get(ME, { cookie: twice })).status).toBe(401);
    }
    expect((await api.as(null).get(ME, { cookie: `a=b; ${cookie}; c=d` })).status).toBe(200);
  });

  it('are ignored if the request has an Authorization header', async () => {
    const user = await aPanelUser(api.app, 'admin');
    const cookie = await aSessionCookie(api.app, user);
    const key = await aKey(api.app, (await aCustomer(api.app)).user);
    for (const authorization of ['Bearer nonsense', `Bearer ${key}x`, `Basic ${key}`, 'Bearer', `Bearer  ${key}`]) {
      expect((await api.as(null).get(ME, { cookie, authorization })).status).toBe(401);
    }
    expect((await api.as(null).get(ME, { cookie, authorization: `Bearer ${key}` })).body.user.role).toBe('customer');
  });

  it('are not replaced by a key outside the Authorization header', async () => {
    const key = await aKey(api.app, await aPanelUser(api.app, 'admin'));
    for (const path of [`${ME}?access_token=${key}`, `${ME}?api_key=${key}`]) {
      expect((await api.as(null).get(path)).status).toBe(401);
    }
    expect((await api.as(null).get(ME, { cookie: `oidc_session=${key}` })).status).toBe(401);
    expect((await api.as(null).post(KEYS, { access_token: key, name: 'x' })).status).toBe(401);
  });

  describe('and requests from pages of other sites', () => {
    const CASES: [string, Record<string, string>, boolean][] = [
      ['no word of the browser', {}, false],
      ['the panel itself as origin', { origin: 'SELF' }, true],
      ['the panel itself by Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }, true],
      ['both', { 'sec-fetch-site': 'same-origin', origin: 'SELF' }, true],
      ['another site', { origin: 'https://evil.example' }, false],
      ['another port of the panel', { origin: 'http://127.0.0.1:1' }, false],
      ['an opaque origin', { origin: 'null' }, false],
      ['a service subdomain by Sec-Fetch-Site', { 'sec-fetch-site': 'same-site' }, false],
      ['another site by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }, false],
      ['a contradiction', { 'sec-fetch-site': 'cross-site', origin: 'SELF' }, false],
      ['a typed address', { 'sec-fetch-site': 'none' }, false],
    ];
    const filled = (headers: Record<string, string>) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === 'SELF' ? api.url : value]));

    it.each(CASES)('with %s: a change with a cookie', async (_what, headers, allowed) => {
      const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'admin'));
      const answer = await api.as(null).post(KEYS, { name: 'x' }, { cookie, ...filled(headers) });
      expect(answer.status).toBe(allowed ? 201 : 403);
      if (!allowed) expect(answer.body.error.code).toBe('origin_rejected');
      const gone = await api.as(null).delete(`${KEYS}/nothing`, { cookie, ...filled(headers) });
      expect(gone.status).toBe(allowed ? 404 : 403);
      expect((await api.as(null).get(KEYS, { cookie, ...filled(headers) })).status).toBe(200);
    });

    it.each(CASES)('with %s: a change with a key is not affected', async (_what, headers) => {
      const key = await aKey(api.app, await aPanelUser(api.app, 'admin'));
      expect((await api.as(key).post(KEYS, { name: 'x' }, filled(headers))).status).toBe(201);
      // Neither with an additional cookie, which is ignored then.
      const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'customer'));
      expect((await api.as(key).delete(`${KEYS}/nothing`, { cookie, ...filled(headers) })).status).toBe(404);
    });

    it('cannot sign the browser out', async () => {
      const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'customer'));
      const headers = { cookie, origin: 'https://evil.example' };
      expect((await api.as(null).post('/api/v1/auth/oidc/logout', undefined, headers)).status).toBe(403);
      expect((await api.as(null).get(ME, { cookie })).status).toBe(200);
    });
  });

  it('are refused if their encrypted tokens were changed, moved or encrypted with a removed key', async () => {
    const user = await aPanelUser(api.app, 'customer');
    const cookies = [await aSessionCookie(api.app, user), await aSessionCookie(api.app, user)];
    const { rows } = await database.query<{ id: string }>(
      'select id from panel_auth.sessions where user_id = $1 order by created_at, id',
      [user.id],
    );
    for (const { id } of rows) {
      const sealed = api.app.get(SessionTokens, { strict: false }).seal(new SecretText('eyJ.token'), id as never);
      await database.query('update panel_auth.sessions set sealed_tokens = $2 where id = $1', [id, sealed]);
    }
    for (const cookie of cookies) expect((await api.as(null).get(ME, { cookie })).status).toBe(200);
    await database.query(
      `update panel_auth.sessions s set sealed_tokens = other.sealed_tokens from panel_auth.sessions other
        where s.user_id = $1 and other.user_id = $1 and s.id <> other.id`,
      [user.id],
    );
    for (const cookie of cookies) expect((await api.as(null).get(ME, { cookie })).status).toBe(401);
  });

  // Last in this block, because Passport keeps its strategies per process, so the second instance replaces them.
  describe('and keys that are revoked', () => {
    let elsewhere: RunningPanelApi;

    beforeAll(async () => {
      elsewhere = await startPanelApi({ clock, database: api.database });
    });
    afterAll(() => elsewhere?.close());

    const keyCaller = async (): Promise<{ key: string; caller: Caller }> => {
      const key = await aKey(api.app, await aPanelUser(api.app, 'admin'));
      return { key, caller: await elsewhere.app.get(Authentication).byKey(key) };
    };
    /** Milliseconds until the watching process learns of what `end` does in the other process. */
    const heardAfter = async (caller: Caller, end: () => Promise<unknown>): Promise<number> => {
      let heard = Infinity;
      const told = new Promise<void>((resolve) => {
        elsewhere.app.get(CredentialWatch).watch(caller, () => {
          heard = performance.now();
          resolve();
        });
      });
      await end();
      const ended = performance.now();
      await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 3_000))]);
      return heard - ended;
    };
    const keyId = ({ credential }: Caller) =>
      credential.kind === 'api-key' ? credential.key.id : credential.sessionId;

    /** The fastest of several tries, because other load only makes tries slower. */
    const fastest = async (attempt: () => Promise<number>): Promise<number> => {
      let best = Infinity;
      for (let n = 0; n < 5 && !(best < 1_000); n++) best = Math.min(best, await attempt());
      return best;
    };

    it('end open connections of another process within a second: a revoked key', async () => {
      const revoke = async () => {
        const { caller } = await keyCaller();
        return heardAfter(caller, () => api.app.get(ApiKeys).revokeByStaff(caller.user.id, keyId(caller)));
      };
      expect(await fastest(revoke)).toBeLessThan(1_000);
    });

    it('end them for a session that was signed out', async () => {
      const signOut = async () => {
        const user = await aPanelUser(api.app, 'customer');
        const cookie = new SecretText((await aSessionCookie(api.app, user)).split('=')[1]!);
        const caller = await elsewhere.app.get(Authentication).bySession(cookie, null);
        return heardAfter(caller, () => api.app.get(Sessions).signOut(cookie, null));
      };
      expect(await fastest(signOut)).toBeLessThan(1_000);
    });

    it('end them for a disabled user', async () => {
      const disable = async () => {
        const { caller } = await keyCaller();
        return heardAfter(caller, () => api.app.get(Directory).disableUser(caller.user.id));
      };
      expect(await fastest(disable)).toBeLessThan(1_000);
    });

    it('leave connections with valid credentials alone, and those already closed', async () => {
      const [lives, gone] = [await keyCaller(), await keyCaller()];
      const told: string[] = [];
      const watch = elsewhere.app.get(CredentialWatch);
      const stop = watch.watch(lives.caller, () => told.push('lives'));
      watch.watch(gone.caller, () => told.push('gone'))();
      await api.app.get(ApiKeys).revokeByStaff(gone.caller.user.id, keyId(gone.caller));
      await watch.check();
      stop();
      expect(told).toEqual([]);
    });

    it('are refused on every later request, in every process', async () => {
      for (let round = 0; round < 20; round++) {
        const { key, caller } = await keyCaller();
        await api.app.get(ApiKeys).revokeByStaff(caller.user.id, keyId(caller));
        const answers = await Promise.allSettled(
          [api, elsewhere].flatMap(({ app }) => Array.from({ length: 5 }, () => app.get(Authentication).byKey(key))),
        );
        expect(answers.filter((answer) => answer.status === 'fulfilled')).toEqual([]);
      }
    });
  });
});
