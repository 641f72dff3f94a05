import { pack } from 'tar-stream';
import { ContainerCreateFailed } from '../../application/ports/engine/container-runtime-errors.js';
import type { ContainerFile } from '../../application/ports/engine/container-runtime.js';

/**
 * The files as a plain tar, because for a compressed one the engine would run a decompressor from the container.
 * Folders are left to the engine, which creates missing ones and does not change existing ones.
 * @throws ContainerCreateFailed for a path that is relative or contains `..`
 */
export async function tarOf(files: readonly ContainerFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { path, content, uid, gid, mode } of files) {
    tar.entry({ name: soundPath(path).slice(1), uid, gid, mode, mtime: new Date(0) }, content.reveal());
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** @returns the path @throws ContainerCreateFailed when it is relative or leads upwards */
export function soundPath(path: string): string {
  const parts = path.split('/');
  const sound = path.startsWith('/') && !path.endsWith('/') && !path.includes('\0');
  if (!sound || parts.slice(1).some((part) => part === '' || part === '.' || part === '..')) {
    throw new ContainerCreateFailed(`A file's place in the container must be an absolute path, not ${path}.`);
  }
  return path;
}
