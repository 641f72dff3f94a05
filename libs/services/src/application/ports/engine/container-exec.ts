import type { SecretText } from '#kernel/crypto/secret-text';
import type { Operation } from './container-runtime.js';

/** A command to run in a running container, in addition to its main process. */
export interface ExecRequest {
  /** Must not contain secrets, because it is visible in process lists and in the engine's events. */
  readonly command: readonly string[];
  readonly environment: ReadonlyMap<string, SecretText>;
  readonly timeoutMs: number;
}

export interface ExecResult {
  readonly exitCode: number;
  /** At most 64 KiB of each stream. Untrusted, because the container writes it. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands in containers. */
export abstract class ContainerExec {
  /**
   * @throws ContainerStartFailed if the container is not running; StepTimedOut; EngineUnavailable, also for a container
   *   on a node that cannot be reached
   */
  abstract run(containerId: string, request: ExecRequest, operation: Operation): Promise<ExecResult>;
}
