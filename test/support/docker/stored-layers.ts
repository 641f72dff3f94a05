import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';

/** The layers in the folder of a `docker-registry`. */
export class StoredLayers {
  /** @param store the folder `docker/registry/v2` of the registry */
  constructor(private readonly store: string) {}

  /** See `TestRegistry.offerLayers`. */
  async offer(repository: string, kept: string): Promise<void> {
    for (const hash of await readdir(kept).catch(() => [])) {
      await linkOrCopy(join(kept, hash), this.#data(hash));
      const linked = join(this.store, 'repositories', repository, '_layers/sha256', hash, 'link');
      await mkdir(dirname(linked), { recursive: true });
      await writeFile(linked, `sha256:${hash}`);
    }
  }

  /** See `TestRegistry.keepLayers`. */
  async keep(reference: string, kept: string): Promise<void> {
    if ((await readdir(kept).catch(() => [])).length > 0) return;
    await mkdir(dirname(kept), { recursive: true });
    const making = await mkdtemp(`${kept}-making-`);
    for (const hash of await hashesOf(reference)) await linkOrCopy(this.#data(hash), join(making, hash));
    // Another test may have kept them in the meantime.
    await rename(making, kept).catch(() => rm(making, { recursive: true }));
  }

  /** See `TestRegistry.loseLayers`. */
  async lose(reference: string): Promise<void> {
    for (const hash of await hashesOf(reference)) await rm(this.#data(hash));
  }

  #data(hash: string): string {
    return join(this.store, 'blobs/sha256', hash.slice(0, 2), hash, 'data');
  }
}

async function hashesOf(reference: string): Promise<readonly string[]> {
  const [, host = '', name = '', tag = ''] = /^([^/]+)\/(.+):([^:]+)$/.exec(reference) ?? [];
  const answer = await fetch(`http://${host}/v2/${name}/manifests/${tag}`, { headers: { accept: MANIFEST } });
  const { layers } = (await answer.json()) as { layers: { digest: string }[] };
  return layers.map(({ digest }) => digest.slice('sha256:'.length));
}

/** A folder for temporary files can be on another file system. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await link(from, to).catch(() => copyFile(from, to));
}
