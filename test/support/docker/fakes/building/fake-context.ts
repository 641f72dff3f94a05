import { text as textOf } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import type { BuildRequest } from '../../../../../libs/services/src/application/ports/git/image-builder.js';
import { buildContext } from '../../../../../libs/services/src/infrastructure/docker/building/build-context.js';
import type { FakeBuildFile } from './fake-layers.js';

/** The files of the build context that an engine would receive. */
export async function contextFiles(request: BuildRequest): Promise<ReadonlyMap<string, FakeBuildFile>> {
  const files = new Map<string, FakeBuildFile>();
  const reader = extract();
  (await buildContext(request)).pipe(reader);
  for await (const entry of reader) {
    const { name, type } = entry.header;
    const text = await textOf(entry);
    if (type !== 'directory') files.set(name, { text, isLink: type === 'symlink' });
  }
  return files;
}
