import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal, unexpected, type EngineRefusal } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';

const REMOVAL_MS = 30_000;
/** The engine takes a moment to put away the container of a step whose build was given up. */
const RETRIES = 20;
const RETRY_MS = 150;

/** The images without names that the steps of builds leave. */
export class BuildLayers {
  constructor(private readonly connection: EngineConnection) {}

  /** From the last to the first. What has a name, or was built on by another build, stays. */
  async remove(layers: readonly string[], signal?: AbortSignal): Promise<void> {
    for (const id of [...layers].reverse()) {
      for (let retry = 0; (await this.#removeOne(id, signal)) === 'in use' && retry < RETRIES; retry += 1)
        await sleep(RETRY_MS);
    }
  }

  async #removeOne(id: string, signal: AbortSignal | undefined): Promise<'done' | 'in use'> {
    try {
      const found = await this.connection.look(signal, (docker) => docker.getImage(id).inspect());
      // The output of a step can name any image: what was fetched has no parent, and what is wanted has a name.
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
