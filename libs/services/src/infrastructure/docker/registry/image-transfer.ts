import type Docker from 'dockerode';
import { StepTimedOut } from '../../../application/ports/engine/container-runtime-errors.js';
import type { Operation, PullProgress } from '../../../application/ports/engine/container-runtime.js';
import { EngineRefusal } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import { jsonLines } from '../json-lines.js';

export interface TransferLimits {
  /** Maximum time without progress. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export const TRANSFER_LIMITS: TransferLimits = { idleMs: 60_000, totalMs: 900_000 };

/** The status that the error would have had if the response had not started with 200. */
export const IN_STREAM = 500;

export interface Transfer {
  /** For the error, such as `The pull of registry/image:tag`. */
  readonly name: string;
  readonly limits: TransferLimits;
  readonly onProgress?: (progress: PullProgress) => void;
  readonly start: (docker: Docker) => Promise<NodeJS.ReadableStream>;
}

interface TransferEvent {
  readonly id?: string;
  readonly status?: string;
  readonly error?: string;
  readonly aux?: { readonly Digest?: string };
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

/**
 * Has the engine push or pull an image. The engine reports most failures inside a response that starts with 200.
 * @returns the digest of the manifest, if the engine names it
 * @throws StepTimedOut; EngineRefusal; EngineUnavailable; the signal's reason
 */
export async function transferImage(
  connection: EngineConnection,
  { name, limits, onProgress, start }: Transfer,
  { guard, signal }: Operation,
): Promise<string | null> {
  const slow = new AbortController();
  const late = (ms: number) => () =>
    slow.abort(new StepTimedOut(`${name} made no progress or did not end within ${ms / 1000} s.`));
  const total = setTimeout(late(limits.totalMs), limits.totalMs);
  let idle: NodeJS.Timeout | undefined;
  const ends = signal ? AbortSignal.any([signal, slow.signal]) : slow.signal;
  try {
    const answer = await connection.call({ timeoutMs: limits.idleMs, signal: ends, guard }, start);
    // Starts here, because an engine that does not respond at all is unavailable, not slow.
    idle = setTimeout(late(limits.idleMs), limits.idleMs);
    let digest: string | null = null;
    for await (const { value } of jsonLines(answer)) {
      idle.refresh();
      const event = value as TransferEvent;
      if (event.error !== undefined) throw new EngineRefusal(IN_STREAM, event.error);
      digest = /^Digest: (sha256:[0-9a-f]{64})$/.exec(event.status ?? '')?.[1] ?? event.aux?.Digest ?? digest;
      onProgress?.(progressOf(event));
    }
    ends.throwIfAborted();
    return digest;
  } catch (error) {
    ends.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
  }
}

function progressOf({ id, status, progressDetail }: TransferEvent): PullProgress {
  return {
    layer: id ?? null,
    status: status ?? '',
    currentBytes: progressDetail?.current ?? null,
    totalBytes: progressDetail?.total ?? null,
  };
}
