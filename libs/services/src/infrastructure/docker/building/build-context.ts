import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { Ignore } from '@balena/dockerignore';
import { extract, pack, type Pack } from 'tar-stream';
import type { BuildRequest } from '../../../application/ports/git/image-builder.js';

/** Its types declare a default export that does not exist. */
const ignore = createRequire(import.meta.url)('@balena/dockerignore') as (options: object) => Ignore;

/** Limits of a context. The clone has been checked already, so this is only the last line of defence. */
const MAX_ENTRIES = 200_000;

/**
 * The files of a build as a tar: the folder without what its .dockerignore excludes, because the engine does not apply
 * that file to a tar, and with the Dockerfile that was checked.
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
    // An ignored folder is still searched, because a later pattern may include a file in it.
    if (isLeftOut || (type !== 'directory' && isIgnored(plain))) {
      entry.resume();
      continue;
    }
    // A file has the same time in every clone of a commit, so that the cache works.
    await new Promise<void>((resolve, reject) => {
      const header = { ...entry.header, mtime: new Date(0) };
      entry.on('error', reject);
      entry.pipe(packed.entry(header, (error) => (error ? reject(error) : resolve())));
    });
  }
  packed.finalize();
}
