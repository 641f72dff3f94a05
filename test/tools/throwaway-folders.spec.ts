import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const MODULE = path.resolve(__dirname, '../../tools/lib/instance/throwaway.mjs');
const AT_ONCE = 6;

/** What each of several starts does that begin at the same instant. */
const START = `
  const { default: fs } = await import('node:fs');
  if (process.env.NO_LINKS) fs.linkSync = () => { throw Object.assign(new Error('no links'), { code: 'EPERM' }); };
  const [prefix, at] = process.argv.slice(1);
  const { temporaryFolder } = await import(${JSON.stringify(MODULE)});
  while (Date.now() < Number(at)) ;
  const { folder } = await temporaryFolder(prefix);
  process.stdout.write(folder);
  setTimeout(() => undefined, 500);
`;

describe('folders of throw-away instances', () => {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'tenantry-test-'));
  // As root the database's account passes through it.
  chmodSync(temporary, 0o711);
  afterAll(() => rmSync(temporary, { recursive: true, force: true }));

  const start = async (prefix: string, at: number, settings: NodeJS.ProcessEnv = {}): Promise<string> => {
    const args = ['--input-type=module', '-e', START, prefix, String(at)];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, TMPDIR: temporary, ...settings },
    });
    return stdout;
  };

  it('are claimed where files cannot be linked, too', async () => {
    const folder = await start('plain-', Date.now(), { NO_LINKS: '1' });
    expect(readdirSync(folder)).toEqual(['launcher.json']);
    const { launcher } = JSON.parse(readFileSync(path.join(folder, 'launcher.json'), 'utf8')) as { launcher: unknown };
    expect(launcher).toEqual({ pid: expect.any(Number), start: expect.any(String) });
  });

  it.each(['first', 'second', 'third'])(
    'are made by several at once, who clear away what a killed one left: %s crowd',
    async (crowd) => {
      const prefix = `crowd-${crowd}-`;
      const left = Array.from({ length: 3 }, () => mkdtempSync(path.join(temporary, prefix)));
      const launcher = { pid: 1, start: 'of a process that is gone' };
      for (const folder of left)
        writeFileSync(path.join(folder, 'launcher.json'), JSON.stringify({ launcher, processes: [] }));

      const at = Date.now() + 1_500;
      const folders = await Promise.all(Array.from({ length: AT_ONCE }, () => start(prefix, at)));
      expect(new Set(folders).size).toBe(AT_ONCE);
      for (const folder of folders) expect(existsSync(folder)).toBe(true);
      expect(readdirSync(temporary).filter((name) => left.includes(path.join(temporary, name)))).toEqual([]);
    },
  );
});
