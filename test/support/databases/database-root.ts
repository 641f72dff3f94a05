import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type DatabaseImage, type DatabaseRecipe, DATABASE_RECIPES } from './database-recipes.js';

const run = promisify(execFile);
/** Tests and bench start at the top of the checkout; the compiled bench lies in another folder. */
const OVERLAYS = resolve('test/support/databases/overlays');
const MODULES = resolve('node_modules');
/** Must be increased whenever this file makes images differently, so that cached ones are not used. */
const EDITION = 1;
const BASE = [
  ...['base-files', 'bash', 'coreutils', 'grep', 'sed', 'findutils', 'hostname', 'debianutils', 'tar', 'util-linux'],
  ...['libc-bin', 'dash', 'mawk', 'gzip', 'diffutils'],
];

/** Why no image can be made on this machine. Null if it can. */
export function missingTool(): string | null {
  if (process.getuid?.() !== 0) return 'mmdebstrap needs root';
  if (process.arch !== 'x64') return 'the PostgreSQL server of the tests is one for x64';
  const isThere = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'mmdebstrap')));
  return isThere ? null : 'mmdebstrap is not installed (Debian: mmdebstrap)';
}

/** Hash of everything that determines the root file system. */
export function rootHash(name: DatabaseImage): string {
  const hash = createHash('sha256').update(JSON.stringify([EDITION, BASE, DATABASE_RECIPES[name]]));
  const { library }: DatabaseRecipe = DATABASE_RECIPES[name];
  if (library !== undefined) hash.update(readFileSync(join(MODULES, library)));
  for (const file of readdirSync(join(OVERLAYS, name)).sort()) hash.update(readFileSync(join(OVERLAYS, name, file)));
  return hash.digest('hex').slice(0, 16);
}

/** The folder for what the tests make of database servers. It is kept from one run to the next. */
export function imageCache(): string {
  return process.env.TEST_IMAGE_CACHE || join(tmpdir(), 'tenantry-test-images');
}

/**
 * The root file system as a tar archive. It is cached in a temporary folder by its hash. The first time takes half a
 * minute and needs Debian's mirror.
 */
export async function databaseRoot(name: DatabaseImage): Promise<string> {
  const cache = imageCache();
  const kept = join(cache, `${name}-${rootHash(name)}.tar`);
  if (existsSync(kept) && statSync(kept).size > 0) return kept;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'making-'));
  try {
    const root = join(work, 'root');
    await unpack(DATABASE_RECIPES[name], root, work);
    await overlay(name, root);
    const made = join(work, 'root.tar');
    await run('tar', ['-C', root, '-cf', made, '.']);
    await rename(made, kept);
    return kept;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function unpack({ suite, packages, npmPackage }: DatabaseRecipe, root: string, work: string): Promise<void> {
  const base = join(work, 'base.tar');
  const without = ['man', 'doc', 'locale', 'mysql-test', 'perl'].map(
    (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
  );
  // The release file of unstable has often expired.
  const expired = suite === 'sid' ? ['--aptopt=Acquire::Check-Valid-Until "false"'] : [];
  const included = `--include=${[...BASE, ...packages].join(',')}`;
  const options = ['--variant=extract', '--mode=root', ...expired, ...without, included];
  await run('mmdebstrap', [...options, suite, base, await mirror()], { env: { ...process.env, LC_ALL: 'C' } });
  await mkdir(root, { mode: 0o755 });
  await run('tar', ['-C', root, '-xf', base]);
  // The mode of the folder above becomes the mode of / in the image.
  await chmod(root, 0o755);
  for (const folder of ['var/cache/apt', 'var/lib/apt']) await rm(join(root, folder), { recursive: true, force: true });
  if (npmPackage === undefined) return;
  await run('npm', ['pack', npmPackage, '--pack-destination', work, '--silent'], { cwd: work });
  const [packed = ''] = readdirSync(work).filter((file) => file.endsWith('.tgz'));
  await run('tar', ['-C', work, '-xzf', join(work, packed)]);
  const native = join(work, 'package', 'native');
  await linkLibraries(native);
  await cp(native, join(root, 'opt/server'), { recursive: true, verbatimSymlinks: true });
}

/** Creates the symbolic links. npm cannot pack them, so the package contains a list. */
async function linkLibraries(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const inside = (path: string) => join(native, path.replace(/^native\//, ''));
    if (!existsSync(inside(target))) await symlink(source.split('/').at(-1)!, inside(target));
  }
}

async function overlay(name: DatabaseImage, root: string): Promise<void> {
  const { user, library, patches = [] }: DatabaseRecipe = DATABASE_RECIPES[name];
  const bin = join(root, 'usr/local/bin');
  await mkdir(bin, { recursive: true });
  await cp(join(OVERLAYS, name), bin, { recursive: true });
  for (const file of readdirSync(bin)) await chmod(join(bin, file), 0o755);
  if (library !== undefined) await cp(join(MODULES, library), join(root, 'usr/local/lib', basename(library)));
  await writeFile(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:/bin/bash\n${user}:x:999:999::/nonexistent:/bin/bash\n`,
  );
  await writeFile(join(root, 'etc/group'), `root:x:0:\n${user}:x:999:\n`);
  if (!existsSync(join(root, 'usr/bin/awk'))) await symlink('mawk', join(root, 'usr/bin/awk'));
  for (const folder of ['tmp', 'docker-entrypoint-initdb.d', 'data', 'run', 'root'])
    await mkdir(join(root, folder), { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
  await appendFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  for (const [path, from, to] of patches) {
    const program = await readFile(join(root, path), 'latin1');
    await writeFile(join(root, path), program.replaceAll(from, to), 'latin1');
  }
}

/** The mirror that this machine's own apt uses. */
async function mirror(): Promise<string> {
  const args = ['indextargets', '--format', '$(SITE)', 'Origin: Debian', 'Label: Debian'];
  const { stdout } = await run('apt-get', args);
  return stdout.split('\n').find(Boolean) ?? 'http://deb.debian.org/debian';
}
