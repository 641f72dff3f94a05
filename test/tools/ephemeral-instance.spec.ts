import { existsSync } from 'node:fs';
import { cleanEnvironment, launch, processesOf, type Launched } from './launcher.js';
import { sandbox, type Demo, type Sandbox } from './sandbox.js';

describe('npm start -- --ephemeral', () => {
  let checkout: Sandbox;
  const started: Launched[] = [];

  beforeAll(() => (checkout = sandbox()));
  afterAll(async () => {
    await Promise.all(started.map((launched) => launched.end('SIGTERM')));
    checkout.remove();
  });

  function start(): Launched {
    // As people and scripts call it: npm's own words must not stand before the JSON.
    const options = {
      root: checkout.root,
      program: 'npm',
      settings: { PARTNER_API_PORT: '1', OIDC_ISSUER: 'http://x' },
    };
    const launched = launch(['start', '--', '--ephemeral'], options);
    started.push(launched);
    return launched;
  }

  it('runs twice at once, prints one line of JSON each, and leaves nothing behind', async () => {
    const both = [start(), start()];
    await Promise.all(both.map((launched) => launched.says('\n')));
    const [one, other] = both.map(({ stdout }) => JSON.parse(stdout) as Demo) as [Demo, Demo];

    expect(one.partnerApi).not.toBe(other.partnerApi);
    expect(one.databaseUrl).not.toBe(other.databaseUrl);
    for (const instance of [one, other]) {
      expect((await fetch(`${instance.partnerApi}/readyz`)).status).toBe(200);
      expect((await fetch(`${instance.panelApi}/readyz`)).status).toBe(200);
      expect(await me(instance, instance.partners[0]?.readToken ?? '')).toBe(200);
      expect(await computedAt(instance)).toMatch(/^\d{4}-/);
      expect(instance.env.DATABASE_URL).toBe(instance.databaseUrl);
      expect(instance.env.SECRETS_KEYS).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
    }
    expect(await me(one, other.partners[0]?.readToken ?? '')).toBe(401);

    const ended = await Promise.all(both.map((launched) => launched.end('SIGTERM')));
    for (const { stdout } of ended) expect(stdout.match(/\n/g)).toHaveLength(1);
    for (const { folder } of [one, other]) {
      expect(existsSync(folder)).toBe(false);
      expect(processesOf(folder)).toEqual([]);
    }
  });
});

const me = async ({ partnerApi }: Demo, token: string): Promise<number> =>
  (await fetch(`${partnerApi}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;

/** When the usage that a newcomer asks for first was computed: the demo has one from its start. */
async function computedAt({ partnerApi, partners }: Demo): Promise<string | null> {
  const headers = { authorization: `Bearer ${partners[0]?.readToken ?? ''}` };
  const usage = (await (await fetch(`${partnerApi}/v1/usage`, { headers })).json()) as { computedAt: string | null };
  return usage.computedAt;
}

describe('the environment of a launched tool', () => {
  it('holds none of the settings of this test run', () => {
    expect(Object.keys(cleanEnvironment())).not.toContain('TEST_DATABASE_URL');
  });
});
