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
 * dd clears its buffer of 100 MB over and over; what was written to the file before is page cache, and no use. Beside
 * it a shell says five times a second what the kernel knows of dd and of itself: to run a command inside would be use.
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

/** What the processes of a container use by what the kernel says of each, without cgroups. */
export interface OwnUse {
  readonly cpuSeconds: number;
  /** Memory that is no file's, of dd alone. */
  readonly heldBytes: number;
}

/** A container that burns a core, holds 100 MB, and has written 60 MB, which stay in the page cache. */
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

  /** What was told last: they have used this at least. */
  async usedBefore(): Promise<OwnUse> {
    return (await this.#told()).at(-1)!;
  }

  /** What is told from now on: they had used this at most. */
  async usedAfter(): Promise<OwnUse> {
    const { length } = await this.#told();
    // The first line may have been on its way.
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
      // utime, stime, and for the shell those of what it waited for.
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
    /** Of the process, just before and just after the engine was asked. */
    readonly cpuSeconds: Readonly<Record<'before' | 'after', { readonly asked: number; readonly answered: number }>>;
  };
  readonly before: object;
  readonly after: object;
}

/** What an engine on cgroup v2 once answered about such a container, and what this was using (docs/monitoring.md). */
export const RECORDED_ON_V2 = JSON.parse(
  readFileSync(path.resolve(__dirname, 'cgroup-v2/answers.json'), 'utf8'),
) as RecordedAnswers;

/** An engine that gives these answers, one after the other, when it is asked for one look alone. */
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
