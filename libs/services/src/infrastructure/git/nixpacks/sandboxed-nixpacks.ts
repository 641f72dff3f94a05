import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { z } from 'zod';
import { BuildFailed } from '../../../application/ports/git/image-builder.js';
import { Nixpacks, type NixpacksPlan, type NixpacksRequest } from '../../../application/ports/git/nixpacks.js';
import { makeWorkFolder } from '../work-folders.js';
import type { NixpacksPrograms } from './installed-programs.js';
import { runNixpacks, type SandboxFolders } from './sandbox.js';
import { writeSource } from './source-folder.js';

const DOCKERFILE = '.nixpacks/Dockerfile';
const MAX_FILES = 50;
const MAX_BYTES = 4 * 1024 * 1024;

const plan = z.object({ variables: z.record(z.string(), z.string()).nullish() });

/** `nixpacks plan` and `nixpacks build --out`, on a copy of the repository that is removed afterwards. */
export class SandboxedNixpacks extends Nixpacks {
  /** @param programs null: not installed */
  constructor(private readonly programs: NixpacksPrograms | null) {
    super();
  }

  async plan(request: NixpacksRequest, signal?: AbortSignal): Promise<NixpacksPlan> {
    const { programs } = this;
    if (!programs) throw new BuildFailed('nixpacks, or bwrap to run it in, is not installed where this worker runs.');
    const place = await makeWorkFolder();
    const folders = { source: join(place, 'source'), out: join(place, 'out') };
    try {
      await Promise.all([mkdir(folders.source), mkdir(folders.out)]);
      await writeSource(request, folders.source, signal);
      const given = [...request.variables].flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      const ask = (args: (inside: SandboxFolders) => readonly string[]) =>
        runNixpacks(programs, (inside) => [...args(inside), ...given], folders, signal);
      const told = await ask(({ source }) => ['plan', source, '--format', 'json']);
      await ask(({ source, out }) => ['build', source, '--out', out, '--no-cache']);
      return await read(folders.out, variablesOf(told));
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }
}

function variablesOf(told: string): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries(plan.parse(JSON.parse(told)).variables ?? {}));
  } catch (error) {
    throw new BuildFailed('nixpacks told its plan in a form that is not known here.', { cause: error });
  }
}

async function read(out: string, variables: ReadonlyMap<string, string>): Promise<NixpacksPlan> {
  const files = new Map<string, string>();
  let bytes = 0;
  for (const path of await plainFiles(out, '.nixpacks')) {
    const text = await readFile(join(out, path), 'utf8');
    bytes += text.length;
    if (files.size >= MAX_FILES || bytes > MAX_BYTES) throw new BuildFailed('nixpacks wrote too many files.');
    files.set(path, text);
  }
  const text = files.get(DOCKERFILE);
  if (text === undefined) throw new BuildFailed('nixpacks wrote no Dockerfile.');
  files.delete(DOCKERFILE);
  return { dockerfile: { path: DOCKERFILE, text }, files, variables };
}

/** Links are left out: what they lead to is not of nixpacks. */
async function plainFiles(root: string, folder: string): Promise<readonly string[]> {
  const about = await lstat(join(root, folder)).catch(() => null);
  if (!about?.isDirectory()) return [];
  const found: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await plainFiles(root, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}
