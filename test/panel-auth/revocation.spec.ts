import { ApiKeys, Authentication, CredentialWatch, Directory, Sessions, type Caller } from '#libs/panel-auth';
import { SecretText } from '#kernel/secret-text';
import { aKey, aPanelUser, aSessionCookie } from '../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../support/panel-api.js';

describe('the end of a credential', () => {
  let here: RunningPanelApi;
  let elsewhere: RunningPanelApi;

  beforeAll(async () => {
    here = await startPanelApi();
    elsewhere = await startPanelApi({ database: here.database });
  });
  afterAll(async () => {
    await elsewhere?.close();
    await here?.close();
  });

  const keyCaller = async (): Promise<{ key: string; caller: Caller }> => {
    const key = await aKey(here.app, await aPanelUser(here.app, 'admin'));
    return { key, caller: await elsewhere.app.get(Authentication).byKey(key) };
  };
  /** Milliseconds until the watching process hears of what `end` does in the other one. */
  const heardAfter = async (caller: Caller, end: () => Promise<unknown>): Promise<number> => {
    let heard = Number.NaN;
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
  const keyId = ({ credential }: Caller) => (credential.kind === 'api-key' ? credential.key.id : credential.sessionId);

  it('reaches open connections of another process within a second: a revoked key', async () => {
    const { caller } = await keyCaller();
    const ms = await heardAfter(caller, () => here.app.get(ApiKeys).revokeByStaff(caller.user.id, keyId(caller)));
    expect(ms).toBeLessThan(1_000);
  });

  it('reaches them for a session that was signed out', async () => {
    const user = await aPanelUser(here.app, 'customer');
    const cookie = new SecretText((await aSessionCookie(here.app, user)).split('=')[1]!);
    const caller = await elsewhere.app.get(Authentication).bySession(cookie, null);
    expect(await heardAfter(caller, () => here.app.get(Sessions).signOut(cookie, null))).toBeLessThan(1_000);
  });

  it('reaches them for a disabled user', async () => {
    const { caller } = await keyCaller();
    expect(await heardAfter(caller, () => here.app.get(Directory).disableUser(caller.user.id))).toBeLessThan(1_000);
  });

  it('leaves connections alone whose credential lives, and those that have gone', async () => {
    const [lives, gone] = [await keyCaller(), await keyCaller()];
    const told: string[] = [];
    const watch = elsewhere.app.get(CredentialWatch);
    const stop = watch.watch(lives.caller, () => told.push('lives'));
    watch.watch(gone.caller, () => told.push('gone'))();
    await here.app.get(ApiKeys).revokeByStaff(gone.caller.user.id, keyId(gone.caller));
    await watch.check();
    stop();
    expect(told).toEqual([]);
  });

  it('holds for every request that starts after it, in every process', async () => {
    for (let round = 0; round < 20; round++) {
      const { key, caller } = await keyCaller();
      await here.app.get(ApiKeys).revokeByStaff(caller.user.id, keyId(caller));
      const answers = await Promise.allSettled(
        [here, elsewhere].flatMap(({ app }) => Array.from({ length: 5 }, () => app.get(Authentication).byKey(key))),
      );
      expect(answers.filter((answer) => answer.status === 'fulfilled')).toEqual([]);
    }
  });
});
