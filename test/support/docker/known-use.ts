import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { containerLog } from './container-log.js';
import { engineJson, engineRequest } from './engine-http.js';
import { eventually } from './eventually.js';
import { makeImage, removeImage } from './images.js';

const MEBIBYTE = 1024 * 1024;
const IMAGE = `test-known-use-${process.pid}:1`;
const TICKS_PER_SECOND = 100;
/**
 * dd keeps filling its buffer of 100 MB. The file that was written before is page cache and must not count as use. Five
 * times a second, the shell prints the kernel's figures for dd and for itself, because running a command for that would
 * be additional use.
 */
const BURN = `
busybox dd if=/dev/zero of=/file bs=1M count=60
busybox dd if=/dev/zero of=/dev/null bs=100M &
while sleep 0.2; do
  while read key value _; do [ $key = RssAnon: ] && held=$value; done < /proc/$!/status
  read dd < /proc/$!/stat
  read shell < /proc/$$/stat
  echo "$held;$dd;$shell"
done`;

/** What the processes of a container use, according to the kernel's figures per process, without cgroups. */
export interface OwnUse {
  readonly cpuSeconds: number;
  /** Anonymous memory of dd. */
  readonly heldBytes: number;
}

/** A container that keeps one core busy, holds 100 MB, and has written 60 MB that stay in the page cache. */
export class Burner {
  private constructor(readonly id: string) {}

  static async start(): Promise<Burner> {
    await makeImage(IMAGE);
    const HostConfig = { Memory: 256 * MEBIBYTE, NetworkMode: 'none' };
    const options = { Image: IMAGE, Cmd: ['sh', '-c', BURN], HostConfig };
    const { Id } = await engineJson<{ Id: string }>('POST', '/containers/create', options);
    const burner = new Burner(Id);
    try {
      await burner.#begin();
    } catch (error) {
      await burner.remove();
      throw error;
    }
    return burner;
  }

  async #begin(): Promise<void> {
    const { status, text } = await engineRequest('POST', `/containers/${this.id}/start`);
    if (status !== 204) throw new Error(`the burner does not start: ${text}`);
    await this.#until((told) => (told.at(-1)?.heldBytes ?? 0) >= 100 * MEBIBYTE);
  }

  /** The last figures so far. The processes have used at least this. */
  async usedBefore(): Promise<OwnUse> {
    return (await this.#told()).at(-1)!;
  }

  /** The next figures. Until now the processes had used at most this. */
  async usedAfter(): Promise<OwnUse> {
    const { length } = await this.#told();
    // The first new line may have been written before this call.
    return (await this.#until((told) => told.length > length + 1)).at(-1)!;
  }

  async remove(): Promise<void> {
    await engineRequest('DELETE', `/containers/${this.id}?force=1&v=1`);
    await removeImage(IMAGE);
  }

  #until(isEnough: (told: readonly OwnUse[]) => boolean): Promise<OwnUse[]> {
    return eventually(() => this.#told(), isEnough, 20_000);
  }

  async #told(): Promise<OwnUse[]> {
    const lines = (await containerLog(this.id)).filter(({ stream }) => stream === 'stdout');
    return lines.map(({ text }) => {
      const [held = '', dd = '', shell = ''] = text.split(';');
      // utime and stime, and for the shell also those of its ended children.
      const ticks = [...dd.split(' ').slice(13, 15), ...shell.split(' ').slice(13, 17)].map(Number);
      const cpuSeconds = ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
      return { cpuSeconds, heldBytes: Number(held) * 1024 };
    });
  }
}

interface RecordedAnswers {
  readonly engine: { readonly version: string; readonly api: string };
  readonly truth: {
    readonly heldBytes: number;
    readonly writtenBytes: number;
    readonly pingBytes: number;
    /** CPU time of the process, just before and just after the call to the engine. */
    readonly cpuSeconds: Readonly<Record<'before' | 'after', { readonly asked: number; readonly answered: number }>>;
  };
  readonly before: object;
  readonly after: object;
}

/** Recorded responses of an engine on cgroup v2 about such a container, with its real use (docs/monitoring.md). */
export const RECORDED_ON_V2 = JSON.parse(
  readFileSync(path.resolve(__dirname, 'cgroup-v2/answers.json'), 'utf8'),
) as RecordedAnswers;

/** An engine that returns the recorded samples one after the other. */
export async function recordedEngine({ engine, before, after }: RecordedAnswers) {
  const answers = [before, after];
  const server = createServer(({ url = '' }, response) => {
    const isStats = /^\/v1\.\d+\/containers\/burn\/stats\?(?=.*stream=false)(?=.*one-shot=true)/.test(url);
    const version = { Version: engine.version, ApiVersion: engine.api, MinAPIVersion: '1.12' };
    const answer = isStats ? answers.shift() : url.endsWith('/version') ? version : undefined;
    response.writeHead(answer ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
