import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { SecretText } from '#kernel/crypto/secret-text';
import { CloneFailed } from '../../application/ports/git/git-checkout.js';
import { GitHostApi, HostRefused } from '../../application/ports/git/git-host-api.js';
import type { StatusCall } from '../../domain/git/commit-status.js';
import type { GitSettings } from './git-settings.js';
import { addressesOf, type Resolve } from './host-addresses.js';

const TIMEOUT_MS = 10_000;

/** Calls hosts as they are cloned from: at public addresses that were looked up once, and without redirects. */
export class HttpsGitHostApi extends GitHostApi {
  constructor(
    private readonly settings: Pick<GitSettings, 'allowedHosts' | 'caFile'>,
    private readonly resolveHost?: Resolve,
  ) {
    super();
  }

  async post(call: StatusCall, token: SecretText, signal?: AbortSignal): Promise<void> {
    const address = await this.addressOf(call);
    const status = await this.send(call, token, address, await this.authorities(), signal);
    if (status >= 200 && status < 300) return;
    if (status >= 300 && status < 400)
      throw new HostRefused(`The host answered ${status}; redirects are not followed.`, true);
    // The token or the repository is wrong, until somebody changes it.
    throw new HostRefused(`The host answered ${status}.`, status < 500 && status !== 408 && status !== 429);
  }

  private async addressOf({ host, port }: StatusCall): Promise<string> {
    const asked = { transport: 'https', host, port, user: null, path: '/', url: `https://${host}` } as const;
    try {
      return (await addressesOf(asked, this.settings.allowedHosts, this.resolveHost))[0]!;
    } catch (cause) {
      if (!(cause instanceof CloneFailed)) throw cause;
      throw new HostRefused(cause.message, cause.problem === 'host_refused', { cause });
    }
  }

  /** What the host says besides its status is not read: it may be anything, and is never shown. */
  private send(
    { host, port, path, credential, body }: StatusCall,
    token: SecretText,
    address: string,
    ca: string[] | undefined,
    signal?: AbortSignal,
  ): Promise<number> {
    const sent = JSON.stringify(body);
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const options = {
      method: 'POST',
      hostname: host.replace(/^\[|\]$/g, ''),
      port,
      path,
      agent: false,
      ca,
      lookup: pinnedTo(address),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'panel',
        'content-length': Buffer.byteLength(sent),
        [credential.header]: `${credential.prefix}${token.reveal()}`,
      },
    };
    return new Promise((resolve, reject) => {
      const refuse = (cause: unknown) =>
        reject(
          new HostRefused(late.aborted ? 'The host does not answer.' : 'The host cannot be reached.', false, { cause }),
        );
      request(options, (answer) => {
        answer.on('error', () => undefined).destroy();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', refuse)
        .end(sent);
    });
  }

  private async authorities(): Promise<string[] | undefined> {
    const { caFile } = this.settings;
    return caFile === null ? undefined : [...rootCertificates, await readFile(caFile, 'utf8')];
  }
}

/** The name leads to the address that was checked, whatever the resolver says by now. */
function pinnedTo(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, options, answer) =>
    options.all ? answer(null, [{ address, family }]) : answer(null, address, family);
}
