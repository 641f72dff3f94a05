import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface DebianRecipe {
  readonly variant: 'apt' | 'minbase';
  readonly packages: readonly string[];
  /** Shell commands to run on the finished root file system, whose path is "$1". */
  readonly hooks?: readonly string[];
}

/**
 * A tar archive of a Debian with packages. It is cached by the hash of its recipe. The first time on a machine takes a
 * minute and needs Debian's mirror.
 */
export function debianRoot(name: string, recipe: DebianRecipe): string {
  const { variant, packages, hooks = [] } = recipe;
  const cache = process.env.TEST_IMAGE_CACHE || path.join(tmpdir(), 'tenantry-test-images');
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 16);
  const kept = path.join(cache, `${name}-${hash}.tar`);
  if (existsSync(kept)) return kept;
  mkdirSync(cache, { recursive: true });
  const made = `${kept}.${process.pid}`;
  const unneeded = ['man', 'doc', 'locale'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`);
  const options = [
    '--mode=root',
    '--format=tar',
    `--variant=${variant}`,
    ...unneeded,
    `--include=${packages.join(',')}`,
  ];
  execFileSync('mmdebstrap', [...options, ...hooks.map((hook) => `--customize-hook=${hook}`), 'bookworm', made], {
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 2 ** 26,
  });
  renameSync(made, kept);
  return kept;
}
