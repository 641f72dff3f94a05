import type Docker from 'dockerode';
import type { LocalImage, Operation, PullProgress } from '../../application/ports/engine/container-runtime.js';
import type { ImageReference } from '../../domain/service-plan.js';
import { EngineRefusal, isRefusal, pullFailure, unexpected } from './docker-errors.js';
import type { EngineConnection } from './engine/engine-connection.js';
import type { EngineLogin } from './registry/build-registry.js';
import { IN_STREAM, transferImage, type TransferLimits } from './registry/image-transfer.js';

interface Pull {
  readonly image: ImageReference;
  readonly limits: TransferLimits;
  readonly onProgress?: (progress: PullProgress) => void;
  readonly login?: EngineLogin;
}

/** The image's name without tag and digest, which the engine expects separately. */
export function imageName(image: ImageReference): string {
  return `${image.registry}/${image.repository}`;
}

/** The local image of this reference, or null. */
export async function inspectImage(
  connection: EngineConnection,
  image: ImageReference,
  signal?: AbortSignal,
): Promise<LocalImage | null> {
  const name = image.digest ? `${imageName(image)}@${image.digest}` : `${imageName(image)}:${image.tag}`;
  try {
    const found = await connection.look(signal, (docker) => docker.getImage(name).inspect());
    return toLocalImage(found, image);
  } catch (error) {
    if (isRefusal(error, 404)) return null;
    throw unexpected(error);
  }
}

/** A tag that is already gone is not an error. A tag whose image is in use stays. */
export async function removeTag(
  connection: EngineConnection,
  image: ImageReference,
  operation: Operation,
): Promise<void> {
  try {
    const name = `${imageName(image)}:${image.tag}`;
    await connection.change(operation, (docker) => docker.getImage(name).remove());
  } catch (error) {
    if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw unexpected(error);
  }
}

/**
 * Pulls from the registry and returns the pulled image by its digest, because the tag may have moved meanwhile.
 * @param request.login for a registry that wants one
 */
export async function pullImage(
  connection: EngineConnection,
  { image, limits, onProgress, login }: Pull,
  operation: Operation,
): Promise<LocalImage> {
  const start = (docker: Docker) =>
    docker.createImage({
      fromImage: imageName(image),
      tag: image.digest ?? image.tag ?? 'latest',
      ...(login ? { authconfig: login } : {}),
    });
  try {
    const transfer = { name: `The pull of ${image.ref}`, limits, onProgress, start };
    const digest = await transferImage(connection, transfer, operation);
    const pulled = await inspectImage(connection, digest ? { ...image, digest } : image, operation.signal);
    if (!pulled) throw new EngineRefusal(IN_STREAM, 'the engine has lost the image right after the pull');
    return pulled;
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw pullFailure(image.ref, error);
  }
}

function toLocalImage(found: Docker.ImageInspectInfo, image: ImageReference): LocalImage {
  // The engine writes docker.io/library/nginx as nginx.
  const names = [imageName(image), image.repository, image.repository.replace(/^library\//, '')];
  const known = (found.RepoDigests ?? []).map((name) => name.split('@') as [name: string, digest: string]);
  return {
    id: found.Id,
    digest: image.digest ?? known.find(([name]) => names.includes(name))?.[1] ?? null,
    labels: new Map(Object.entries(found.Config?.Labels ?? {})),
    environment: new Map((found.Config?.Env ?? []).map((line) => splitOnce(line))),
  };
}

function splitOnce(line: string): readonly [name: string, value: string] {
  const at = line.indexOf('=');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
