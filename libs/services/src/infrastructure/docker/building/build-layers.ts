import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal, unexpected, type EngineRefusal } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';

const REMOVAL_MS = 30_000;
/** The engine needs a moment to remove the container of a step whose build was cancelled. */
const RETRIES = 20;
const RETRY_MS = 150;

/** Unnamed images that the steps of builds leave behind. */
export class BuildLayers {
  constructor(private readonly connection: EngineConnection) {}

  /** Removes them from the last to the first. Keeps those that have a name or that another build uses. */
  async remove(layers: readonly string[], signal?: AbortSignal): Promise<void> {
    for (const id of [...layers].reverse()) {
      for (let retry = 0; (await this.#removeOne(id, signal)) === 'in use' && retry < RETRIES; retry += 1)
        await sleep(RETRY_MS);
    }
  }

  async #removeOne(id: string, signal: AbortSignal | undefined): Promise<'done' | 'in use'> {
    try {
      const found = await this.connection.look(signal, (docker) => docker.getImage(id).inspect());
      // A step can print the id of any image. Pulled images have no parent, images in use have a name: both are kept.
      const isWanted = (found.RepoTags ?? []).length > 0 || (found.RepoDigests ?? []).length > 0;
      if (isWanted || found.Parent === '') return 'done';
      await this.connection.call({ timeoutMs: REMOVAL_MS, signal }, (docker) =>
        docker.getImage(id).remove({ noprune: true }),
      );
      return 'done';
    } catch (error) {
      if (isRefusal(error, 409)) return isByContainer(error) ? 'in use' : 'done';
      if (isRefusal(error, 404)) return 'done';
      throw unexpected(error);
    }
  }
}

function isByContainer({ message }: EngineRefusal): boolean {
  return /by (?:running |stopped )?container/.test(message);
}
