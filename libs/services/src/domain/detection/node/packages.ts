import { presence, property, type Clues } from '../clues.js';
import type { Recipe } from '../detection.js';
import type { PackageFile } from './package-file.js';

export type NodePackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const LOCK_FILES: readonly (readonly [file: string, manager: NodePackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** The field `packageManager` takes precedence over lock files. The default is npm, which comes with Node. */
export function packageManagerOf(clues: Clues, manifest: PackageFile): NodePackageManager {
  const field = manifest.data['packageManager'];
  const named = typeof field === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(field)?.[1] : undefined;
  if (named) return clues.note('package_manager', property(manifest, 'packageManager', named)) as NodePackageManager;
  const locks = LOCK_FILES.filter(([file]) => clues.has(file));
  if (new Set(locks.map(([, manager]) => manager)).size > 1)
    clues.warnings.push(`Several lock files: ${locks.map(([file]) => file).join(', ')}; the first is used.`);
  const [lock] = locks;
  if (lock) return clues.note('package_manager', presence(lock[1], lock[0])) as NodePackageManager;
  return 'npm';
}

/** @param builds whether there is a build, which needs the development dependencies */
export function installWith(
  manager: NodePackageManager,
  clues: Clues,
  manifest: PackageFile,
  builds: boolean,
): Pick<Recipe, 'manifests' | 'installCommands'> {
  const names = ['package.json', ...LOCK_FILES.filter(([, owner]) => owner === manager).map(([file]) => file)];
  const further = ['.npmrc', '.yarnrc.yml', 'pnpm-workspace.yaml'];
  const manifests = [...names, ...further].filter((file) => clues.has(file));
  const hasLock = manifests.some((file) => names.includes(file) && file !== 'package.json');
  if (manifest.dependencies.size === 0 && !(builds && manifest.devDependencies.size > 0))
    return { manifests: [], installCommands: [] };
  // Workspaces have more package.json files, and install scripts may need any file.
  const needsAll = manifest.data['workspaces'] !== undefined || clues.has('pnpm-workspace.yaml');
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare'].some((name) => manifest.scripts.has(name));
  return {
    manifests: needsAll || hooks ? [] : manifests,
    installCommands: commandsOf(manager, hasLock, builds, clues.has('.yarnrc.yml')),
  };
}

function commandsOf(manager: NodePackageManager, hasLock: boolean, all: boolean, isBerry: boolean): readonly string[] {
  switch (manager) {
    case 'npm':
      return [`npm ${hasLock ? 'ci' : 'install'}${all ? '' : ' --omit=dev'}`];
    case 'pnpm':
      return ['corepack enable', `pnpm install${hasLock ? ' --frozen-lockfile' : ''}${all ? '' : ' --prod'}`];
    case 'yarn':
      if (isBerry) return ['corepack enable', `yarn install${hasLock ? ' --immutable' : ''}`];
      return ['corepack enable', `yarn install${hasLock ? ' --frozen-lockfile' : ''}${all ? '' : ' --production'}`];
    case 'bun':
      return [`bun install${hasLock ? ' --frozen-lockfile' : ''}${all ? '' : ' --production'}`];
  }
}
