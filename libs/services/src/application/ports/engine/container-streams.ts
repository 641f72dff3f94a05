import type { Readable } from 'node:stream';
import type { SecretText } from '#kernel/crypto/secret-text';

export interface StreamedCommand {
  /** Can be read in process lists and in the engine's events: no secrets. */
  readonly argv: readonly string[];
  readonly environment?: ReadonlyMap<string, SecretText>;
  /** Written into the program. What the program does not read is left in it for the caller. */
  readonly stdin?: Readable;
  /** Gets what the program writes to stderr, as it comes. Must not hold it up. */
  readonly onStderr?: (chunk: Buffer) => void;
  /** An account of the container; its own when left out. */
  readonly user?: string;
}

export interface ProgramEnd {
  readonly exitCode: number;
  /** The last 8 KiB; written by the container, so never to be trusted. */
  readonly stderrTail: string;
}

export interface RunningProgram {
  /** Holds the program up while nobody reads. Its end is no proof that the program ended well. */
  readonly stdout: Readable;
  /**
   * What the engine says of the ended program. Settles only after `stdout` has been read to its end or destroyed.
   * Rejects with EngineUnavailable when the engine cannot tell, and with the error of `stdin` when that failed.
   */
  readonly finished: Promise<ProgramEnd>;
}

/** Runs programs in containers whose input and output are too large to be kept. */
export abstract class ContainerStreams {
  /**
   * @param signal ends the wait; the program in the container may go on until its pipes break
   * @throws ContainerStartFailed when the container does not run; EngineUnavailable
   */
  abstract run(containerId: string, command: StreamedCommand, signal?: AbortSignal): Promise<RunningProgram>;
}
