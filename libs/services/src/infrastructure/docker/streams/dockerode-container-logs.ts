import type Docker from 'dockerode';
import { ContainerLogs, type LogLine, type LogRange } from '../../../application/ports/engine/container-logs.js';
import { isRefusal, refusalOrUnavailable, unexpected } from '../docker-errors.js';
import { EngineConnection, type EngineSettings } from '../engine/engine-connection.js';
import { LogStream } from './log-stream.js';

/** The logs of a Docker Engine, with whatever driver it can read back. */
export class DockerodeContainerLogs extends ContainerLogs {
  readonly #connection: EngineConnection;

  /** Does not connect yet. @throws RangeError for a host in another form than `DOCKER_HOST` takes */
  constructor(settings: EngineSettings) {
    super();
    this.#connection = new EngineConnection(settings);
  }

  async recent(containerId: string, range: LogRange, signal?: AbortSignal): Promise<readonly LogLine[]> {
    if (range.tail === 0) return [];
    const stream = await this.#streamOf(containerId, signal);
    if (!stream) return [];
    const answer = await this.#unlessGone(signal, (docker) =>
      docker.getContainer(containerId).logs({ ...optionsOf(range), follow: false }),
    );
    return answer ? [...stream.read(answer), ...stream.end()] : [];
  }

  async *follow(containerId: string, range: LogRange, signal: AbortSignal): AsyncGenerator<LogLine> {
    const stream = await this.#streamOf(containerId, signal);
    const answer =
      stream &&
      (await this.#unlessGone(signal, (docker) =>
        docker.getContainer(containerId).logs({ ...optionsOf(range), follow: true }),
      ));
    if (!answer) return;
    try {
      for await (const chunk of answer) yield* stream.read(chunk as Buffer);
    } catch (error) {
      if (signal.aborted) return;
      throw refusalOrUnavailable(error);
    }
    yield* stream.end();
  }

  /** Null for a container that is gone. */
  async #streamOf(containerId: string, signal: AbortSignal | undefined): Promise<LogStream | null> {
    const found = await this.#unlessGone(signal, (docker) => docker.getContainer(containerId).inspect());
    return found && new LogStream(containerId, found.Config.Tty);
  }

  async #unlessGone<T>(signal: AbortSignal | undefined, work: (docker: Docker) => Promise<T>): Promise<T | null> {
    try {
      return await this.#connection.look(signal, work);
    } catch (error) {
      if (isRefusal(error, 404)) return null;
      throw unexpected(error);
    }
  }
}

function optionsOf({ tail, afterMicros }: LogRange) {
  // The engine's `since` is inclusive and has nine decimals.
  const since = afterMicros === null ? undefined : (seconds(afterMicros + 1) as unknown as number);
  return {
    stdout: true,
    stderr: true,
    timestamps: true,
    tail: (Number.isFinite(tail) ? tail : 'all') as number,
    ...(since === undefined ? {} : { since }),
  };
}

function seconds(micros: number): string {
  return `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}000`;
}
