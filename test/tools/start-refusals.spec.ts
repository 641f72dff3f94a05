import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './launcher.js';
import { instancePorts, listening } from './ports.js';
import { sandbox, type Sandbox } from './sandbox.js';

describe('npm start that cannot work', () => {
  let checkout: Sandbox;
  let settings: Record<string, string>;

  beforeAll(async () => {
    checkout = sandbox();
    settings = await instancePorts();
  });
  afterEach(() => rmSync(checkout.data, { recursive: true, force: true }));
  afterAll(() => checkout.remove());

  /** Starts, and gives the one line that it ended with. */
  async function refusal(given: Record<string, string> = {}, args: string[] = []): Promise<string> {
    const launched = launch(['tools/start.mjs', ...args], { root: checkout.root, settings: { ...settings, ...given } });
    const { code, stdout, stderr } = await launched.finished;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    // What was done before is told as well, a line each.
    expect(stderr).toMatch(/^(start: \[\d+\.\d s\] [^\n]+\n)*start: [^\n[]+\n$/);
    return stderr.trimEnd().split('\n').at(-1)!;
  }

  function databaseMadeBy(version: string): void {
    const home = join(checkout.data, 'postgres');
    mkdirSync(join(home, 'data'), { recursive: true });
    writeFileSync(join(home, 'credentials.json'), '{"superuserPassword":"a","password":"b"}');
    writeFileSync(join(home, 'data', 'PG_VERSION'), version);
  }

  it.each(['PARTNER_API_PORT', 'PANEL_API_PORT', 'IDP_PORT', 'POSTGRES_PORT', 'WORKER_METRICS_PORT'])(
    'names a busy %s and the setting that cures it',
    async (name) => {
      const { server, port } = await listening();
      const line = await refusal({ [name]: String(port) });
      server.close();
      expect(line).toContain(`port ${port}`);
      expect(line).toContain(`set ${name}`);
    },
  );

  it('refuses to make a new key ring beside existing data, and names the cure', async () => {
    databaseMadeBy('18');
    const line = await refusal();
    expect(line).toContain('secrets.json is missing beside existing data: restore it, or start with --new-keys');
  });

  it('refuses a port that is none, and one port for two servers', async () => {
    expect(await refusal({ PANEL_API_PORT: '70000' })).toContain('PANEL_API_PORT=70000 is not a port');
    const port = settings.PARTNER_API_PORT ?? '';
    expect(await refusal({ PANEL_API_PORT: port })).toContain(`PANEL_API_PORT=${port} is the port of another server`);
  });

  it('names the place of an unreachable DATABASE_URL, not its password', async () => {
    const { server, port } = await listening();
    await new Promise((resolve) => server.close(resolve));
    const line = await refusal({ DATABASE_URL: `postgres://someone:s3cret@127.0.0.1:${port}/db` });
    expect(line).toContain(`no connection to 127.0.0.1:${port}/db`);
    expect(line).not.toContain('s3cret');
  });

  it.each(['mysql://u:s3cret@h/d', 'postgres//u:s3cret@h/d'])('refuses %s as DATABASE_URL', async (url) => {
    const line = await refusal({ DATABASE_URL: url });
    expect(line).toContain('DATABASE_URL is not a postgres:// URL');
    expect(line).not.toContain('s3cret');
  });

  it('refuses data of another PostgreSQL', async () => {
    databaseMadeBy('15\n');
    expect(await refusal({}, ['--new-keys'])).toContain('was created by PostgreSQL 15, and this is PostgreSQL 18');
  });

  it('refuses broken data', async () => {
    databaseMadeBy('\0\0');
    expect(await refusal({}, ['--new-keys'])).toContain('is not a usable PostgreSQL data directory');
  });

  it('says in the words of PostgreSQL why data with a right version do not start', async () => {
    databaseMadeBy('18\n');
    expect(await refusal({}, ['--new-keys'])).toMatch(/PostgreSQL does not start on .*move .* away/);
  });

  it.each(['demo.json', 'secrets.json'])('refuses a broken %s', async (name) => {
    mkdirSync(checkout.data);
    writeFileSync(join(checkout.data, name), '{"half":');
    expect(await refusal()).toContain(`${name} is broken`);
  });

  it('refuses a file in the place of its folder', async () => {
    writeFileSync(checkout.data, '');
    expect(await refusal()).toContain('this is a file where a folder must be');
  });

  it('gives the last words of an application that refuses to start', async () => {
    const line = await refusal({ PC_RATE_RPS: '0' });
    expect(line).toMatch(/partner-api ended \(exit code \d+\) at its start: .*PC_RATE_RPS/);
  });

  it('refuses an option that it does not know', async () => {
    expect(await refusal({}, ['--no-dmeo'])).toContain("Unknown option '--no-dmeo': npm start -- --help");
  });

  it('forgets none of the settings that .env.example names', () => {
    const root = join(__dirname, '../..');
    const named = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)];
    const tools = ['settings', 'instance', 'secrets'].map((name) => join(root, `tools/lib/instance/${name}.mjs`));
    const read = tools.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(named.length).toBeGreaterThan(50);
    expect(named.map(([, name]) => name!).filter((name) => !read.includes(name))).toEqual([]);
  });
});
