import { z } from 'zod';
import { RegistryFailed } from '../../../application/ports/git/image-registry.js';
import type { EngineLogin } from './build-registry.js';

const TIMEOUT_MS = 15_000;
const MAX_TOKEN_BYTES = 65_536;
const DOCKER_HUB = 'docker.io';

const tokenAnswer = z.union([
  z.object({ token: z.string().min(1) }).transform(({ token }) => token),
  z.object({ access_token: z.string().min(1) }).transform(({ access_token: token }) => token),
]);

/** The HTTP API of a registry (OCI distribution), with a password or a token that is issued for it. */
export class RegistryApi {
  readonly #origins: readonly string[];

  /** @param isInsecure whether it may be used without TLS if it has none */
  constructor(
    private readonly registry: string,
    private readonly login: EngineLogin | null,
    isInsecure: boolean,
  ) {
    const host = registry === DOCKER_HUB ? 'registry-1.docker.io' : registry;
    this.#origins = isInsecure ? [`https://${host}`, `http://${host}`] : [`https://${host}`];
  }

  /** @returns false if the registry removes no images @throws RegistryFailed */
  async removeManifest(repository: string, digest: string, signal?: AbortSignal): Promise<boolean> {
    const path = `/v2/${repository}/manifests/${digest}`;
    const first = await this.send('DELETE', path, this.basic(), signal);
    const token = first.status === 401 ? await this.token(first, signal) : null;
    const { status } = token === null ? first : await this.send('DELETE', path, `Bearer ${token}`, signal);
    if (status === 202 || status === 200 || status === 404) return true;
    if (status === 405 || status === 400) return false;
    if (status === 401 || status === 403)
      throw new RegistryFailed(
        'registry_denied',
        `The registry ${this.registry} refuses to remove images (${status}).`,
      );
    throw new RegistryFailed('registry_failed', `The registry ${this.registry} answered ${status}.`);
  }

  private basic(): string | null {
    if (this.login === null) return null;
    const { username, password } = this.login;
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  /** A registry that accepts only tokens names their issuer in its response. @returns null if it names none */
  private async token(refusal: Response, signal?: AbortSignal): Promise<string | null> {
    const challenge = refusal.headers.get('www-authenticate') ?? '';
    if (!/^bearer /i.test(challenge)) return null;
    const { realm, ...asked } = Object.fromEntries(
      [...challenge.matchAll(/(realm|service|scope)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ) as Partial<Record<'realm' | 'service' | 'scope', string>>;
    if (realm === undefined || !URL.canParse(realm)) return null;
    const url = new URL(realm);
    // The password is sent there. Without TLS only if the registry itself has none.
    if (!this.#origins.some((origin) => new URL(origin).protocol === url.protocol)) return null;
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    const answer = await this.fetch('GET', url, this.basic(), signal);
    if (answer.status !== 200) return null;
    const text = await answer.text();
    if (text.length > MAX_TOKEN_BYTES) return null;
    return tokenAnswer.safeParse(parseJson(text)).data ?? null;
  }

  /** Uses TLS if the registry has it. Before a connection without TLS is tried, nothing has been sent in the clear. */
  private async send(method: string, path: string, authorization: string | null, signal?: AbortSignal) {
    let cause: unknown;
    for (const origin of this.#origins) {
      try {
        return await this.fetch(method, new URL(path, origin), authorization, signal);
      } catch (error) {
        signal?.throwIfAborted();
        cause = error;
      }
    }
    throw new RegistryFailed('registry_unreachable', `The registry ${this.registry} cannot be reached.`, { cause });
  }

  private fetch(method: string, url: URL, authorization: string | null, signal?: AbortSignal): Promise<Response> {
    const late = AbortSignal.timeout(TIMEOUT_MS);
    return fetch(url, {
      method,
      // A redirect could send the password to another host.
      redirect: 'manual',
      headers: authorization === null ? {} : { authorization },
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
