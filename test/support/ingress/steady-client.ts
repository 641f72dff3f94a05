import { setTimeout as sleep } from 'node:timers/promises';
import { askCaddy } from './caddy-client.js';
import type { CaddyServer } from './caddy.js';

const EVERY_MS = 50;

export interface SteadyReport {
  readonly answered: number;
  /** All responses other than 200. Status 0 means a broken connection. */
  readonly failures: readonly { readonly status: number; readonly text: string }[];
  /** Time from the first failed request to the last one. */
  readonly gapMs: number;
  readonly slowestMs: number;
}

/** Sends a request every 50 ms over HTTPS, each on a new connection, and records every failure. */
export class SteadyClient {
  private readonly failures: { status: number; text: string; at: number }[] = [];
  private answered = 0;
  private slowestMs = 0;
  private ended = false;
  private asking: Promise<void> = Promise.resolve();

  constructor(
    private readonly caddy: CaddyServer,
    private readonly host: string,
  ) {}

  start(): void {
    this.asking = this.ask();
  }

  async stop(): Promise<SteadyReport> {
    this.ended = true;
    await this.asking;
    const gapMs = this.failures.length === 0 ? 0 : this.failures.at(-1)!.at - this.failures[0]!.at;
    const failures = this.failures.map(({ status, text }) => ({ status, text }));
    return { answered: this.answered, failures, gapMs: Math.round(gapMs), slowestMs: Math.round(this.slowestMs) };
  }

  private async ask(): Promise<void> {
    const open: Promise<void>[] = [];
    while (!this.ended) {
      open.push(this.one());
      await sleep(EVERY_MS);
    }
    await Promise.all(open);
  }

  private async one(): Promise<void> {
    const at = performance.now();
    const { status, text } = await askCaddy(this.caddy, this.host).catch((error: Error) => ({
      status: 0,
      text: error.message,
    }));
    this.slowestMs = Math.max(this.slowestMs, performance.now() - at);
    if (status === 200) this.answered += 1;
    else this.failures.push({ status, text, at });
  }
}
