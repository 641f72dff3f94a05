import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '#kernel/text/json-object';
import { Ingress, IngressUnavailable, type IngressRoute } from '../../application/ports/ingress/ingress.js';
import type { HostName } from '../../domain/domains/host-name.js';
import type { CaddyAdmin, CaddyAnswer } from './caddy-admin.js';
import { wantedConfig } from './caddy-config.js';
import type { JsonObject } from './caddy-routes.js';
import type { CaddySettings } from './caddy-settings.js';
import { certificateEnd } from './certificate-end.js';

const MAX_TRIES = 20;
const MAX_PAUSE_MS = 200;

/**
 * Caddy, configured through its admin API. The whole configuration is read, completed and written back on the condition
 * that nobody has changed it meanwhile. So several workers may do this at once, and an empty Caddy gets everything.
 */
export class CaddyIngress extends Ingress {
  readonly isOn = true;
  #seen: string | null = null;
  /** Assumed until Caddy refuses it. */
  #isRecent = true;

  constructor(
    private readonly admin: CaddyAdmin,
    private readonly settings: CaddySettings,
    /** Where this process reaches Caddy's HTTPS port. */
    private readonly address: string,
  ) {
    super();
  }

  async apply(routes: () => Promise<readonly IngressRoute[]>): Promise<void> {
    let lastProblem = '';
    let put: JsonObject | null = null;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { config, etag } = await this.read();
      if (put !== null && isDeepStrictEqual(config, put)) {
        this.#seen = etag;
        return;
      }
      const isRecent = this.#isRecent;
      const wanted = wantedConfig(config, await routes(), this.settings, { isRecent });
      if (isDeepStrictEqual(config, wanted)) {
        this.#seen = etag;
        return;
      }
      // A broken connection does not tell whether the change was made, so the configuration is read again.
      const answer = await this.admin.replace(wanted, etag).catch(() => null);
      put = wanted;
      lastProblem = answer === null ? 'the connection broke' : problemOf(answer);
      if (answer !== null && answer.status >= 400 && answer.status !== 412) this.learnFrom(lastProblem, isRecent);
      else if (answer === null || answer.status === 412) await sleep(Math.random() * MAX_PAUSE_MS);
    }
    throw new IngressUnavailable(`Caddy did not accept the routes: ${lastProblem}.`);
  }

  async isUntouched(): Promise<boolean> {
    return (await this.read()).etag === this.#seen;
  }

  async certificateExpiresAt(host: HostName): Promise<Date | null> {
    return certificateEnd(host, { host: this.address, port: this.settings.httpsPort });
  }

  private async read(): Promise<{ readonly config: JsonObject | null; readonly etag: string }> {
    const answer = await this.readPatiently().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new IngressUnavailable(`Caddy is not responding: ${reason}.`, { cause: error });
    });
    if (answer.status !== 200 || answer.etag === null)
      throw new IngressUnavailable(`Caddy does not return its configuration: ${problemOf(answer)}.`);
    const config: unknown = JSON.parse(answer.text);
    return { config: isJsonObject(config) ? config : null, etag: answer.etag };
  }

  /** A change, by whomever, replaces the server of the admin API, and with it goes whoever just asks. */
  private async readPatiently(): Promise<CaddyAnswer> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.admin.read();
      } catch (error) {
        const isReset = (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        if (!isReset || tries === MAX_TRIES) throw error;
        await sleep(Math.random() * MAX_PAUSE_MS);
      }
    }
  }

  /** @throws IngressUnavailable if a retry would not help */
  private learnFrom(problem: string, isRecent: boolean): void {
    if (!isRecent || !problem.includes('stream_close_delay'))
      throw new IngressUnavailable(`Caddy refuses the routes: ${problem}.`);
    this.#isRecent = false;
  }
}

const MAX_PROBLEM_LENGTH = 300;

/** Caddy's own error message. */
function problemOf({ status, text }: CaddyAnswer): string {
  return `${status} ${saidIn(text).slice(0, MAX_PROBLEM_LENGTH)}`.trim();
}

function saidIn(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    return isJsonObject(answer) && typeof answer['error'] === 'string' ? answer['error'] : text;
  } catch {
    // Not JSON, so it is shown as it is.
    return text;
  }
}
