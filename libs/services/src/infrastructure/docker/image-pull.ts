import type Docker from 'dockerode';
import { StepTimedOut } from '../../application/ports/engine/container-runtime-errors.js';
import type { LocalImage, Operation, PullProgress } from '../../application/ports/engine/container-runtime.js';
import type { ImageReference } from '../../domain/service-plan.js';
import { EngineRefusal, isRefusal, pullFailure, unexpected } from './docker-errors.js';
import type { EngineConnection } from './engine/engine-connection.js';
import { jsonLines } from './json-lines.js';

export interface PullLimits {
  /** From one sign of progress to the next. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The status that the engine would have answered with, had it not begun with 200. */
const IN_STREAM = 500;

interface PullEvent {
  readonly id?: string;
  readonly status?: string;
  readonly error?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

/** The image's name without tag and digest, as the engine wants it apart from them. */
export function imageName(image: ImageReference): string {
  return `${image.registry}/${image.repository}`;
}

/** What the engine has under this reference, or null. */
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

/** A tag that is gone already is no error, and one whose image a container uses stays. */
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
 * Pulls from the registry and answers with what arrived, by its digest: the tag may have moved on meanwhile.
 * The engine tells most failures inside an answer that begins with 200.
 */
export async function pullImage(
  connection: EngineConnection,
  image: ImageReference,
  limits: PullLimits,
  onProgress: (progress: PullProgress) => void,
  { guard, signal }: Operation,
): Promise<LocalImage> {
  const slow = new AbortController();
  const total = setTimeout(() => slow.abort(timedOut(image, limits.totalMs)), limits.totalMs);
  const ends = signal ? AbortSignal.any([signal, slow.signal]) : slow.signal;
  try {
    const answer = await connection.call({ timeoutMs: limits.idleMs, signal: ends, guard }, (docker) =>
      docker.createImage({ fromImage: imageName(image), tag: image.digest ?? image.tag ?? 'latest' }),
    );
    const digest = await follow(answer, onProgress, () => slow.abort(timedOut(image, limits.idleMs)), limits.idleMs);
    ends.throwIfAborted();
    const pulled = await inspectImage(connection, digest ? { ...image, digest } : image, ends);
    if (!pulled) throw new EngineRefusal(IN_STREAM, 'the engine has lost the image right after the pull');
    return pulled;
  } catch (error) {
    ends.throwIfAborted();
    throw pullFailure(image.ref, error);
  } finally {
    clearTimeout(total);
  }
}

/** @returns the digest that the registry's answer had, when the engine names it */
async function follow(
  answer: NodeJS.ReadableStream,
  onProgress: (progress: PullProgress) => void,
  onSilence: () => void,
  idleMs: number,
): Promise<string | null> {
  const idle = setTimeout(onSilence, idleMs);
  let digest: string | null = null;
  try {
    for await (const { value } of jsonLines(answer)) {
      idle.refresh();
      const event = value as PullEvent;
      if (event.error !== undefined) throw new EngineRefusal(IN_STREAM, event.error);
      digest = /^Digest: (sha256:[0-9a-f]{64})$/.exec(event.status ?? '')?.[1] ?? digest;
      onProgress({
        layer: event.id ?? null,
        status: event.status ?? '',
        currentBytes: event.progressDetail?.current ?? null,
        totalBytes: event.progressDetail?.total ?? null,
      });
    }
    return digest;
  } finally {
    clearTimeout(idle);
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

function timedOut(image: ImageReference, limitMs: number): StepTimedOut {
  return new StepTimedOut(`${image.ref}: the pull made no progress or did not end within ${limitMs / 1000} s.`);
}
