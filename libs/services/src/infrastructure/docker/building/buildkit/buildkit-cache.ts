import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineConnection } from '../../engine/engine-connection.js';

const PRUNE_MS = 60_000;
const LOOK_MS = 30_000;
/** The engine needs a moment to release the steps of a build that was cancelled. */
const RETRIES = 20;
const RETRY_MS = 150;

/**
 * Removes what builds leave in BuildKit's cache. The cache has no labels and is shared by all builds of the engine: the
 * result of one tenant's step with a secret would be reused for the same step of another tenant.
 */
export class BuildKitCache {
  constructor(private readonly connection: EngineConnection) {}

  async ids(signal?: AbortSignal): Promise<ReadonlySet<string>> {
    const found = (await this.connection.call({ timeoutMs: LOOK_MS, signal }, (docker) => docker.df())) as {
      readonly BuildCache?: readonly { readonly ID: string }[] | null;
    };
    return new Set((found.BuildCache ?? []).map(({ ID }) => ID));
  }

  /** Removes what was added since. Keeps what another build is using. */
  async removeSince(before: ReadonlySet<string>): Promise<void> {
    for (let retry = 0; retry <= RETRIES; retry += 1) {
      const left = [...(await this.ids())].filter((id) => !before.has(id) && /^\w+$/.test(id));
      if (left.length === 0) return;
      if (retry > 0) await sleep(RETRY_MS);
      await this.#remove(left);
    }
  }

  async #remove(ids: readonly string[]): Promise<void> {
    // The value is a quoted pattern.
    const filters = JSON.stringify({ id: [`"^(${ids.join('|')})$"`] });
    const options = { _query: { all: 1, filters }, _body: {} };
    const request = { method: 'POST', path: '/build/prune?', options, statusCodes: { 200: true } };
    await this.connection.dial({ timeoutMs: PRUNE_MS }, request);
  }
}
