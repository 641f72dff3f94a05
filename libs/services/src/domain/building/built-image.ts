import { parseImageReference } from '../compose/values/image-reference.js';
import type { ImageReference } from '../service-plan.js';
import { BUILT_HERE } from '../git/git-source.js';

/** The folder for built images in the registry that they are pushed to. */
const FOLDER = 'panel-git';

/** @param registry the registry for built images, with its path; null: images stay on the engine */
export function builtImageName(registry: string | null, serviceId: string, tag: string): string {
  return `${folderOf(registry)}/${serviceId}:${tag}`;
}

/** Whether the reference is in the folder to which the panel pushes. Each image there belongs to one service. */
export function isInBuildRegistry({ registry, repository }: ImageReference, pushedTo: string | null): boolean {
  if (pushedTo === null) return false;
  const folder = parseImageReference(`${folderOf(pushedTo)}/any`);
  return folder?.registry === registry && repository.startsWith(folder.repository.replace(/any$/, ''));
}

function folderOf(registry: string | null): string {
  return registry === null ? BUILT_HERE : `${registry}/${FOLDER}`;
}
