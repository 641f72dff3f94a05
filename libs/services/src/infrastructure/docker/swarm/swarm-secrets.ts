import { randomBytes } from 'node:crypto';
import type { ContainerFile, Operation } from '../../../application/ports/engine/container-runtime.js';
import { soundPath } from '../container-files.js';
import type { OwnLabels } from '../container-labels.js';
import { isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import type { SecretReference } from './swarm-api.js';
import { createFailureInSwarm, isInUse, notInSwarm } from './swarm-errors.js';
import { until } from './waiting.js';

const CONTAINER = 'panel.container';
const MAX_BYTES = 500 * 1024;

/** Files of containers as swarm secrets, each for one container only. A container gets them in memory, not on disk. */
export class SwarmSecrets {
  constructor(
    private readonly connection: EngineConnection,
    private readonly labels: OwnLabels,
  ) {}

  /** @throws ContainerCreateFailed when a path is invalid or a file is too large */
  async store(
    containerId: string,
    serviceId: string,
    files: readonly ContainerFile[],
    operation: Operation,
  ): Promise<readonly SecretReference[]> {
    for (const { path, content } of files) {
      soundPath(path);
      const size = Buffer.byteLength(content.reveal());
      if (size === 0) throw notInSwarm('secrets', `${path} is empty, which a swarm does not accept.`);
      if (size > MAX_BYTES)
        throw notInSwarm('secrets', `${path} has ${size} bytes; a swarm accepts at most ${MAX_BYTES}.`);
    }
    const stored: SecretReference[] = [];
    for (const { path, content, uid, gid, mode } of files) {
      const name = `panel-${containerId}-${randomBytes(8).toString('hex')}`;
      const options = {
        Name: name,
        Labels: { ...this.labels.forService(serviceId), [CONTAINER]: containerId },
        Data: Buffer.from(content.reveal()).toString('base64'),
      };
      try {
        const made = (await this.connection.change(operation, (docker) => docker.createSecret(options))) as IdOrSecret;
        const File = { Name: path, UID: String(uid), GID: String(gid), Mode: mode };
        stored.push({ SecretID: made.ID ?? made.id, SecretName: name, File });
      } catch (error) {
        throw createFailureInSwarm(error);
      }
    }
    return stored;
  }

  /** Removes all secrets of a container except `kept`. */
  async discard(containerId: string, kept: readonly SecretReference[], operation: Operation): Promise<void> {
    const filters = { label: [`${CONTAINER}=${containerId}`] };
    const found = await this.connection.ask(operation.signal, (docker) => docker.listSecrets({ filters }));
    const ids = new Set(kept.map(({ SecretID }) => SecretID));
    for (const { ID, Spec } of found) {
      if (ids.has(ID) || this.labels.serviceOf(Spec?.Labels) === null) continue;
      await until(() => this.#remove(ID, operation), {
        limitMs: this.connection.readTimeoutMs,
        text: `the secrets of ${containerId} did not become free`,
        signal: operation.signal,
      });
    }
  }

  async #remove(id: string, operation: Operation): Promise<true | null> {
    try {
      await this.connection.change(operation, (docker) => docker.getSecret(id).remove());
      return true;
    } catch (error) {
      if (isRefusal(error, 404)) return true;
      if (isInUse(error)) return null;
      throw unexpected(error);
    }
  }
}

/** dockerode returns an object of its own with the engine's id as `id`. */
interface IdOrSecret {
  readonly ID?: string;
  readonly id: string;
}
