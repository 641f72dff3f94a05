import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface NixpacksPrograms {
  readonly nixpacks: string;
  /** bubblewrap, which keeps nixpacks to the files that it is given. */
  readonly bwrap: string;
}

/** @param searchPath as in `PATH` @returns null unless both are there */
export function nixpacksPrograms(searchPath: string): NixpacksPrograms | null {
  const [nixpacks, bwrap] = ['nixpacks', 'bwrap'].map((name) => found(name, searchPath));
  return nixpacks && bwrap ? { nixpacks, bwrap } : null;
}

function found(name: string, searchPath: string): string | null {
  for (const folder of searchPath.split(':').filter((part) => part.startsWith('/'))) {
    try {
      const file = realpathSync(join(folder, name));
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // It is not in this folder.
    }
  }
  return null;
}
