import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ContainerExec, type ExecRequest, type ExecResult } from '../../../application/ports/engine/container-exec.js';
import { StepTimedOut } from '../../../application/ports/engine/container-runtime-errors.js';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import { refusalOrUnavailable, startFailure } from '../docker-errors.js';
import { EngineConnection, type EngineSettings } from '../engine/engine-connection.js';
import { environment } from '../to-create-options.js';

const MAX_OUTPUT_BYTES = 64 * 1024;

/** Commands in containers of a Docker Engine. */
export class DockerodeContainerExec extends ContainerExec {
  readonly #connection: EngineConnection;

  /** Does not connect yet. @throws RangeError for a host in another form than `DOCKER_HOST` takes */
  constructor(settings: EngineSettings) {
    super();
    this.#connection = new EngineConnection(settings);
  }

  async run(containerId: string, request: ExecRequest, { guard, signal }: Operation): Promise<ExecResult> {
    const slow = AbortSignal.timeout(request.timeoutMs);
    const ends = signal ? AbortSignal.any([signal, slow]) : slow;
    try {
      return await this.#run(containerId, request, { guard, signal: ends });
    } catch (error) {
      signal?.throwIfAborted();
      if (slow.aborted)
        throw new StepTimedOut(`A command in the container took longer than ${request.timeoutMs / 1000} s.`);
      throw startFailure(error);
    }
  }

  async #run(containerId: string, request: ExecRequest, operation: Operation): Promise<ExecResult> {
    const stdout = new Output();
    const stderr = new Output();
    const exec = await this.#connection.change(operation, (docker) =>
      docker.getContainer(containerId).exec({
        Cmd: [...request.command],
        Env: environment(request.environment),
        AttachStdout: true,
        AttachStderr: true,
      }),
    );
    await this.#connection.change(
      operation,
      async (docker) => {
        const stream = (await docker.getExec(exec.id).start({ hijack: false, stdin: false })) as Readable;
        docker.modem.demuxStream(stream, stdout.sink, stderr.sink);
        await finished(stream, { writable: false }).catch((error: unknown) => {
          operation.signal?.throwIfAborted();
          throw refusalOrUnavailable(error);
        });
      },
      request.timeoutMs,
    );
    const { ExitCode } = await this.#connection.look(operation.signal, (docker) => docker.getExec(exec.id).inspect());
    return { exitCode: ExitCode ?? -1, stdout: stdout.text, stderr: stderr.text };
  }
}

/** Keeps the beginning of what is written and drops the rest. */
class Output {
  readonly sink = new PassThrough();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor() {
    this.sink.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, MAX_OUTPUT_BYTES - this.#bytes);
      this.#bytes += kept.length;
      if (kept.length > 0) this.#chunks.push(kept);
    });
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
