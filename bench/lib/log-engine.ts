import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

const TICK_MS = 10;

/** An engine with one container, which writes numbered lines at a steady rate while `write` runs. */
export class LogEngine {
  #follower: ServerResponse | null = null;
  #written = 0;

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  static async start(labels: Readonly<Record<string, string>>): Promise<LogEngine> {
    const folder = await mkdtemp(path.join(tmpdir(), 'log-engine-'));
    const listed = { Id: 'c1', Names: ['/web'], ImageID: 'sha256:0', State: 'running', Labels: labels };
    const answers: Record<string, unknown> = {
      '/version': { Version: '24.0.0', ApiVersion: '1.43', MinAPIVersion: '1.12' },
      '/containers/json': [listed],
      '/containers/c1/json': { Id: 'c1', Config: { Tty: false } },
      '/networks': [],
      '/volumes': { Volumes: [] },
    };
    const server = createServer((request, answer) => {
      const url = request.url ?? '';
      const asked = Object.keys(answers).find((end) => url.split('?')[0]?.endsWith(end));
      answer.writeHead(200, { 'content-type': asked ? 'application/json' : 'application/octet-stream' });
      if (asked) answer.end(JSON.stringify(answers[asked]));
      else if (url.includes('follow=true')) engine.#keep(answer);
      else if (url.includes('/events')) answer.flushHeaders();
      else answer.end();
    });
    const engine = new LogEngine(server, folder);
    await new Promise<void>((resolve) => server.listen(path.join(folder, 'engine.sock'), resolve));
    return engine;
  }

  get host(): string {
    return `unix://${path.join(this.folder, 'engine.sock')}`;
  }

  get isFollowed(): boolean {
    return this.#follower !== null;
  }

  /**
   * Writes `perSecond` lines a second for the given seconds.
   * @returns how many it has written since its start
   */
  async write(perSecond: number, seconds: number): Promise<number> {
    const startedAt = performance.now();
    const first = this.#written;
    const total = perSecond * seconds;
    while (this.#written - first < total) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond));
      const frames: Buffer[] = [];
      while (this.#written - first < due) frames.push(frame(++this.#written));
      this.#follower?.write(Buffer.concat(frames));
    }
    return this.#written;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true });
  }

  #keep(answer: ServerResponse): void {
    answer.flushHeaders();
    this.#follower = answer;
  }
}

/** A log line in the format of the engine: a header with the length, the time with nine digits, and the text. */
function frame(number: number): Buffer {
  const stamp = new Date().toISOString().replace('Z', `${String(number % 1_000_000).padStart(6, '0')}Z`);
  const body = Buffer.from(`${stamp} line ${number} ${'x'.repeat(80)}\n`);
  const header = Buffer.alloc(8);
  header[0] = 1;
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}
