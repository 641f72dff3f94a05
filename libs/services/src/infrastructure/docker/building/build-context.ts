import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { Ignore } from '@balena/dockerignore';
import { extract, pack, type Pack } from 'tar-stream';
import type { BuildRequest } from '../../../application/ports/git/image-builder.js';

/** Its types name a default export that it has not. */
const ignore = createRequire(import.meta.url)('@balena/dockerignore') as (options: object) => Ignore;

/** What a context may hold at most; the clone has looked at it already, so that this is the last line of defence. */
const MAX_ENTRIES = 200_000;

/**
 * The files of a build as a tar: those of the folder without what its .dockerignore names, which the engine does not
 * leave out of a tar by itself, and with the Dockerfile that was checked.
 */
export async function buildContext(
  { repository, folder, dockerfile }: Pick<BuildRequest, 'repository' | 'folder' | 'dockerfile'>,
  signal?: AbortSignal,
): Promise<Readable> {
  const path = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const patterns = await repository.read(path('.dockerignore'));
  const ignored = patterns === null ? null : ignore({ ignorecase: false }).add(patterns);
  const packed = pack();
  const work = fill(packed, repository.archive(folder, signal), dockerfile, (name) => ignored?.ignores(name) ?? false);
  work.catch((error: unknown) => packed.destroy(error instanceof Error ? error : new Error(String(error))));
  return Readable.from(packed, { objectMode: false });
}

async function fill(
  packed: Pack,
  archive: Readable,
  dockerfile: BuildRequest['dockerfile'],
  isIgnored: (name: string) => boolean,
): Promise<void> {
  const ours = new Map([...(dockerfile.files ?? []), [dockerfile.path, dockerfile.text]]);
  for (const [name, text] of ours) packed.entry({ name, mode: 0o644, mtime: new Date(0) }, text);
  const reader = extract();
  archive.on('error', (error) => reader.destroy(error)).pipe(reader);
  let count = 0;
  for await (const entry of reader) {
    const { name, type } = entry.header;
    const plain = name.replace(/\/$/, '');
    count += 1;
    if (count > MAX_ENTRIES) throw new RangeError('The build context has too many files.');
    const isLeftOut = plain === '' || ours.has(plain);
    // A folder is left out with its last file only: a pattern may take a file of it back in.
    if (isLeftOut || (type !== 'directory' && isIgnored(plain))) {
      entry.resume();
      continue;
    }
    // Each file gets the same time in every clone of its commit, for the sake of the cache.
    await new Promise<void>((resolve, reject) => {
      const header = { ...entry.header, mtime: new Date(0) };
      entry.on('error', reject);
      entry.pipe(packed.entry(header, (error) => (error ? reject(error) : resolve())));
    });
  }
  packed.finalize();
}
