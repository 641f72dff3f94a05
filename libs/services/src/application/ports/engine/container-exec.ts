import type { SecretText } from '#kernel/crypto/secret-text';
import type { Operation } from './container-runtime.js';

/** A command beside the main process of a container that runs. */
export interface ExecRequest {
  /** Can be read in process lists and in the engine's events: no secrets. */
  readonly command: readonly string[];
  readonly environment: ReadonlyMap<string, SecretText>;
  readonly timeoutMs: number;
}

export interface ExecResult {
  readonly exitCode: number;
  /** At most 64 KiB of each; written by the container, so never to be trusted. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands in containers. */
export abstract class ContainerExec {
  /**
   * @throws ContainerStartFailed when the container does not run; StepTimedOut; EngineUnavailable, also for a container
   *   on a node that is out of reach
   */
  abstract run(containerId: string, request: ExecRequest, operation: Operation): Promise<ExecResult>;
}
