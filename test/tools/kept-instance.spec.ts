import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch, pause, processesOf, type Launched } from './launcher.js';
import { instancePorts } from './ports.js';
import { sandbox, type Demo, type Sandbox } from './sandbox.js';

interface Note {
  processes: { name: string; pid: number }[];
}

describe('npm start in a checkout', () => {
  let checkout: Sandbox;
  let settings: Record<string, string>;
  let running: Launched;

  beforeAll(async () => {
    checkout = sandbox();
    settings = await instancePorts();
    running = await start();
  });
  afterAll(async () => {
    await running.end('SIGINT');
    checkout.remove();
  });

  async function start(...args: string[]): Promise<Launched> {
    const launched = launch(['tools/start.mjs', ...args], { root: checkout.root, settings });
    await launched.says('Ctrl-C stops it');
    return launched;
  }

  const pidOf = (name: string): number => {
    const { processes } = JSON.parse(readFileSync(join(checkout.data, 'launcher.json'), 'utf8')) as Note;
    return processes.find((known) => known.name === name)?.pid ?? 0;
  };

  it('writes the credentials for its owner alone', () => {
    expect(statSync(join(checkout.data, 'demo.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(checkout.data, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('prints no token and no password', () => {
    const { partners, databaseUrl, env, panelAdminKey } = checkout.demo();
    const secrets = [
      ...partners.flatMap(({ writeToken, readToken }) => [writeToken, readToken]),
      ...[panelAdminKey, new URL(databaseUrl).password, env.SECRETS_KEYS, env.OIDC_CLIENT_SECRET],
    ].filter((secret): secret is string => Boolean(secret));
    expect(secrets.length).toBeGreaterThanOrEqual(5);
    for (const secret of secrets) expect(running.stdout + running.stderr).not.toContain(secret);
  });

  it('puts no secret on a command line, where every account can read it', () => {
    const { databaseUrl } = checkout.demo();
    const lines = ['partner-api', 'panel-api', 'worker', 'postgres', 'identity-provider'].map((name) =>
      readFileSync(`/proc/${pidOf(name)}/cmdline`, 'utf8'),
    );
    for (const line of lines) {
      expect(line).not.toBe('');
      expect(line).not.toContain(new URL(databaseUrl).password);
    }
  });

  it('refuses a second instance of the same checkout', async () => {
    const { code, stderr } = await launch(['tools/start.mjs'], { root: checkout.root, settings }).finished;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `start: this checkout's instance is already running (process ${running.pid}): use it, or stop it with Ctrl-C\n`,
    );
  });

  it('is found by the staff CLI, which prints JSON and nothing else', async () => {
    const options = { root: checkout.root, program: 'npm' };
    const { code, stdout } = await launch(['run', 'cli', '--', 'partners', 'list', '--json'], options).finished;
    expect(code).toBe(0);
    const listed = JSON.parse(stdout) as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(checkout.demo().partners.map(({ id }) => id)));
  });

  it('starts a killed application and a killed database again', async () => {
    const killed = pidOf('partner-api');
    process.kill(killed, 'SIGKILL');
    await untilWorking(checkout.demo(), () => pidOf('partner-api') !== killed);
    process.kill(pidOf('postgres'), 'SIGKILL');
    await pause(200);
    await untilWorking(checkout.demo());
    expect(pidOf('partner-api')).not.toBe(killed);
  });

  it('finds everything again after its launcher was killed', async () => {
    const before = checkout.demo();
    const orphans = ['partner-api', 'panel-api', 'worker', 'postgres'].map(pidOf);
    await running.end('SIGKILL');
    running = await start();

    const after = checkout.demo();
    expect(after.partners).toEqual(before.partners);
    expect(after.env).toEqual(before.env);
    expect(await statusOfMe(after)).toBe(200);
    for (const pid of orphans) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('stops everything at Ctrl-C, the database cleanly', async () => {
    // So that something is sealed for the test that follows.
    expect((await fetch(`${checkout.demo().partnerApi}/license-service/v1/keys`)).status).toBe(200);
    const { code } = await running.end('SIGINT');
    expect(code).toBe(0);
    expect(processesOf(checkout.root)).toEqual([]);
    expect(readFileSync(join(checkout.data, 'logs', 'postgres.log'), 'utf8')).toContain('database system is shut down');
  });

  it('refuses the key ring of another checkout, and goes on with it when told that the old one is lost', async () => {
    const file = join(checkout.data, 'secrets.json');
    const secrets = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...secrets, secretsKeys: `k1:${randomBytes(32).toString('base64')}` }));
    const { code, stderr } = await launch(['tools/start.mjs'], { root: checkout.root, settings }).finished;
    expect(code).toBe(1);
    expect(stderr).toContain('it cannot open license signing key (1, key k1). Restore the key ring');
    running = await start('--new-keys');
    expect(running.stderr).toContain('start: lost with the old keys: license signing key (1, key k1)');
    expect((await fetch(`${checkout.demo().partnerApi}/license-service/v1/keys`)).status).toBe(200);
    await running.end('SIGINT');
  });
});

async function statusOfMe({ partnerApi, partners }: Demo): Promise<number> {
  const headers = { authorization: `Bearer ${partners[0]?.writeToken}` };
  return (await fetch(`${partnerApi}/v1/me`, { headers })).status;
}

/** Waits until the partner API answers a request that needs the database. */
async function untilWorking(demo: Demo, also = (): boolean => true): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (also() && (await statusOfMe(demo).catch(() => 0)) === 200) return;
    await pause(50);
  }
  throw new Error('the partner API did not come back');
}
