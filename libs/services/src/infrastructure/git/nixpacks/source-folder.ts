import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { BuildFailed } from '../../../application/ports/git/image-builder.js';
import type { NixpacksRequest } from '../../../application/ports/git/nixpacks.js';

/** What tells how to build is small; larger files are there, but empty. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;

/** Writes the plain files of a repository into a folder. Links are left out: they could lead out of it. */
export async function writeSource(
  { repository, folder }: Pick<NixpacksRequest, 'repository' | 'folder'>,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const reader = extract();
  const archive = repository.archive(folder, signal);
  archive.on('error', (error) => reader.destroy(error)).pipe(reader);
  let bytes = 0;
  for await (const entry of reader) {
    const { name, type, size = 0 } = entry.header;
    if (type !== 'file' || !staysInside(name)) {
      entry.resume();
      continue;
    }
    const file = join(target, name);
    await mkdir(dirname(file), { recursive: true });
    if (size > MAX_FILE_BYTES) {
      entry.resume();
      await writeFile(file, '');
      continue;
    }
    bytes += size;
    if (bytes > MAX_BYTES) throw new BuildFailed('The repository is too large for nixpacks.');
    await pipeline(entry, createWriteStream(file));
  }
}

function staysInside(name: string): boolean {
  return posix.normalize(name) === name && !name.startsWith('/') && name.split('/')[0] !== '..';
}
