import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineConnection } from '../../engine/engine-connection.js';

const PRUNE_MS = 60_000;
const LOOK_MS = 30_000;
/** The engine takes a moment to let go of the steps of a build that was given up. */
const RETRIES = 20;
const RETRY_MS = 150;

/**
 * What builds leave in BuildKit's cache. The cache has no labels and belongs to all builds of the engine: what one
 * tenant's step made of a secret would be taken for the same step of another. So nothing of ours stays in it.
 */
export class BuildKitCache {
  constructor(private readonly connection: EngineConnection) {}

  async ids(signal?: AbortSignal): Promise<ReadonlySet<string>> {
    const found = (await this.connection.call({ timeoutMs: LOOK_MS, signal }, (docker) => docker.df())) as {
      readonly BuildCache?: readonly { readonly ID: string }[] | null;
    };
    return new Set((found.BuildCache ?? []).map(({ ID }) => ID));
  }

  /** Removes what has come since. What somebody else's build uses at this moment stays. */
  async removeSince(before: ReadonlySet<string>): Promise<void> {
    for (let retry = 0; retry <= RETRIES; retry += 1) {
      const left = [...(await this.ids())].filter((id) => !before.has(id) && /^\w+$/.test(id));
      if (left.length === 0) return;
      if (retry > 0) await sleep(RETRY_MS);
      await this.#remove(left);
    }
  }

  async #remove(ids: readonly string[]): Promise<void> {
    // The value is a pattern in quotes.
    const filters = JSON.stringify({ id: [`"^(${ids.join('|')})$"`] });
    const options = { _query: { all: 1, filters }, _body: {} };
    const request = { method: 'POST', path: '/build/prune?', options, statusCodes: { 200: true } };
    await this.connection.dial({ timeoutMs: PRUNE_MS }, request);
  }
}
