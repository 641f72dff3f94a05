import type { Readable } from 'node:stream';
import type { SecretText } from '#kernel/crypto/secret-text';

export interface StreamedCommand {
  /** Must not contain secrets, because it is visible in process lists and in the engine's events. */
  readonly argv: readonly string[];
  readonly environment?: ReadonlyMap<string, SecretText>;
  /** The standard input. What the program does not read stays in the stream. */
  readonly stdin?: Readable;
  /** Receives the standard error as it arrives. Must not block. */
  readonly onStderr?: (chunk: Buffer) => void;
  /** An account in the container. Defaults to that of the container. */
  readonly user?: string;
}

export interface ProgramEnd {
  readonly exitCode: number;
  /** The last 8 KiB. Untrusted, because the container writes it. */
  readonly stderrTail: string;
}

export interface RunningProgram {
  /** The program waits while nobody reads. The end of the stream does not prove that the program succeeded. */
  readonly stdout: Readable;
  /**
   * How the program ended. Settles only after `stdout` was read to its end or destroyed.
   * Rejects with EngineUnavailable if the engine does not know, and with the error of `stdin` if that failed.
   */
  readonly finished: Promise<ProgramEnd>;
}

/** Runs programs in containers whose input and output are too large for memory. */
export abstract class ContainerStreams {
  /**
   * @param signal aborts the wait; the program in the container may continue until its pipes break
   * @throws ContainerStartFailed if the container is not running; EngineUnavailable
   */
  abstract run(containerId: string, command: StreamedCommand, signal?: AbortSignal): Promise<RunningProgram>;
}
