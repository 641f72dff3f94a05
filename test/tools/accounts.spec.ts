import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { launch, processesOf } from './launcher.js';
import { instancePorts } from './ports.js';
import { sandbox, type Sandbox } from './sandbox.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Whether other accounts can read this checkout and its dependencies: every folder above lets them pass. */
function isPublic(folder: string): boolean {
  const open = (statSync(folder).mode & 0o001) !== 0;
  return open && (folder === dirname(folder) || isPublic(dirname(folder)));
}

const dependencies = realpathSync(resolve(__dirname, '..', '..', 'node_modules'));
const lendsItself = isRoot && isPublic(__dirname) && isPublic(dependencies);

/** A test that this account or place cannot run says so in its name. */
const where = (holds: boolean, needs: string): ((name: string, test: () => Promise<void>) => void) =>
  holds ? it : (name, test) => it.skip(`${name} (skipped: needs ${needs})`, test);

describe('the account that starts an instance', () => {
  let checkout: Sandbox;
  afterEach(() => checkout.remove());

  async function startAndStop(uid?: number): Promise<string> {
    const { root } = checkout;
    const launched = launch(['tools/start.mjs', '--no-demo'], { root, settings: await instancePorts(), uid });
    await launched.says('Ctrl-C stops it');
    const { code, stdout } = await launched.end('SIGINT');
    expect(code).toBe(0);
    expect(processesOf(root)).toEqual([]);
    return stdout;
  }

  where(isRoot, 'root')(
    'may be root in a private folder: the data are under /var/tmp, and the page says so',
    async () => {
      checkout = sandbox({ mode: 0o700 });
      const page = await startAndStop();
      const place = /\/var\/tmp\/tenantry-data-[0-9a-f]+/.exec(page)?.[0] ?? '';
      expect(existsSync(`${place}/data/PG_VERSION`)).toBe(true);
      expect(existsSync(`${checkout.data}/postgres`)).toBe(false);
      rmSync(place, { recursive: true });
      expect(checkout.demo()).toMatchObject({ partners: [], contracts: [], customers: [], panelAdminKey: null });
    },
  );

  where(lendsItself || !isRoot, 'a checkout that other accounts can read')('may be an ordinary one', async () => {
    checkout = sandbox({ owner: isRoot ? NOBODY : undefined });
    await startAndStop(isRoot ? NOBODY : undefined);
    expect(statSync(checkout.data).mode & 0o777).toBe(0o700);
    expect(statSync(`${checkout.data}/postgres/data`).uid).toBe(isRoot ? NOBODY : process.getuid?.());
  });

  where(lendsItself, 'root, and a checkout that other accounts can read')('is told what it may not write', async () => {
    checkout = sandbox({ owner: NOBODY });
    mkdirSync(checkout.data);
    const options = { root: checkout.root, uid: NOBODY };
    const foreign = await launch(['tools/start.mjs'], options).finished;
    expect(foreign).toMatchObject({
      code: 1,
      stderr: `start: ${checkout.data} belongs to another user: remove it, or start as its owner\n`,
    });
    rmSync(checkout.data, { recursive: true });
    chmodSync(checkout.root, 0o555);
    const closed = await launch(['tools/start.mjs'], options).finished;
    expect(closed.code).toBe(1);
    expect(closed.stderr).toMatch(/^start: \S+\.data: permission denied: start as the owner[^\n]*\n$/);
  });
});
