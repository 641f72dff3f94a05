import { setTimeout as sleep } from 'node:timers/promises';
import { type Duplex, finished as whenFinished, pipeline } from 'node:stream';
import { EngineUnavailable } from '../../../application/ports/engine/container-runtime-errors.js';
import type { OperationGuard } from '../../../application/ports/engine/container-runtime.js';
import {
  ContainerStreams,
  type ProgramEnd,
  type RunningProgram,
  type StreamedCommand,
} from '../../../application/ports/engine/container-streams.js';
import { startFailure } from '../docker-errors.js';
import { EngineConnection, type EngineSettings } from '../engine/engine-connection.js';
import { ExecOutput } from './exec-output.js';
import { environment } from '../to-create-options.js';

const POLL_MS = 50;
/** The engine needs a moment to record the end of a program after its last output. */
const ENDING_MS = 10_000;

const UNGUARDED: OperationGuard = () => Promise.resolve();

/** Programs in containers of a Docker Engine, over connections that carry both directions. */
export class DockerodeContainerStreams extends ContainerStreams {
  readonly #connection: EngineConnection;

  /** Does not connect yet. @throws RangeError for a host in another form than `DOCKER_HOST` takes */
  constructor(settings: EngineSettings) {
    super();
    this.#connection = new EngineConnection(settings);
  }

  async run(containerId: string, command: StreamedCommand, signal?: AbortSignal): Promise<RunningProgram> {
    const { argv, environment: values = new Map(), stdin, user } = command;
    const operation = { guard: UNGUARDED, ...(signal && { signal }) };
    try {
      const exec = await this.#connection.change(operation, (docker) =>
        docker.getContainer(containerId).exec({
          Cmd: [...argv],
          Env: environment(values),
          AttachStdin: stdin !== undefined,
          AttachStdout: true,
          AttachStderr: true,
          ...(user === undefined ? {} : { User: user }),
        }),
      );
      const socket: Duplex = await this.#connection.change(operation, (docker) =>
        docker.getExec(exec.id).start({ hijack: true, stdin: stdin !== undefined }),
      );
      return this.#follow(exec.id, socket, command, signal);
    } catch (error) {
      stdin?.destroy();
      throw startFailure(error);
    }
  }

  #follow(execId: string, socket: Duplex, { stdin, onStderr }: StreamedCommand, signal?: AbortSignal): RunningProgram {
    const output = new ExecOutput(onStderr);
    let inputError: unknown = null;
    const giveUp = () => socket.destroy(signal?.reason as Error);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (stdin) {
      const failed = (error: Error) => {
        inputError = error;
        socket.destroy(error);
      };
      // The stream may have failed while the program was being started.
      if (stdin.errored) failed(stdin.errored);
      stdin.on('error', failed);
      // A program may end before it has read all input. Its exit status tells whether that is an error.
      stdin.pipe(socket);
    }
    const read = new Promise<void>((resolve, reject) => {
      pipeline(socket, output, (error) => {
        signal?.removeEventListener('abort', giveUp);
        if (error && isLost(error)) reject(error);
        else resolve();
      });
    });
    const drained = new Promise<void>((resolve) => whenFinished(output.stdout, () => resolve()));
    const finished = read.then(
      async () => {
        await drained;
        if (inputError) throw asError(inputError);
        return this.#endOf(execId, output, signal);
      },
      (error: unknown) => {
        signal?.throwIfAborted();
        throw inputError
          ? asError(inputError)
          : new EngineUnavailable('The connection to the engine was lost.', { cause: error });
      },
    );
    finished.catch(() => undefined);
    return { stdout: output.stdout, finished };
  }

  async #endOf(execId: string, output: ExecOutput, signal?: AbortSignal): Promise<ProgramEnd> {
    const until = performance.now() + ENDING_MS;
    for (;;) {
      const { Running, ExitCode } = await this.#connection.look(signal, (docker) => docker.getExec(execId).inspect());
      if (!Running && ExitCode !== null) return { exitCode: ExitCode, stderrTail: output.stderrTail };
      if (performance.now() > until)
        throw new EngineUnavailable('The engine does not tell how a program in the container ended.');
      await sleep(POLL_MS, undefined, signal && { signal });
    }
  }
}

/** The engine closes its side first and answers further input with a reset, after all output has been passed on. */
function isLost(error: NodeJS.ErrnoException): boolean {
  return error.code !== 'EPIPE';
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
