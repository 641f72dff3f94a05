import type Docker from 'dockerode';
import { ContainerStats, type ContainerSample } from '../../../application/ports/engine/container-stats.js';
import { isRefusal, unexpected } from '../docker-errors.js';
import { EngineConnection, type EngineSettings } from '../engine/engine-connection.js';
import { toSample, type StatsAnswer } from './stats-answer.js';

/** Statistics of a Docker Engine with API 1.41 or newer, which can return a single sample. */
export class DockerodeContainerStats extends ContainerStats {
  readonly #connection: EngineConnection;

  /** Does not connect yet. @throws RangeError for a host in another form than `DOCKER_HOST` takes */
  constructor(settings: EngineSettings) {
    super();
    this.#connection = new EngineConnection(settings);
  }

  async sample(containerId: string, signal?: AbortSignal): Promise<ContainerSample | null> {
    try {
      const answer = await this.#connection.look(signal, (docker) => oneShot(docker.getContainer(containerId)));
      return toSample(containerId, answer);
    } catch (error) {
      // 409: it is being removed.
      if (isRefusal(error, 404) || isRefusal(error, 409)) return null;
      throw unexpected(error);
    }
  }
}

function oneShot(container: Docker.Container): Promise<StatsAnswer> {
  return container.stats({ stream: false, 'one-shot': true } as { stream: false });
}
