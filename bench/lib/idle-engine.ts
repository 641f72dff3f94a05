import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A listed container as a real engine describes it, as far as the panel reads it. */
export interface ListedContainer {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly ImageID: string;
  readonly State: string;
  readonly Labels: Readonly<Record<string, string>>;
}

/** Answers like an idle engine, and counts the requests. */
export class IdleEngine {
  calls = 0;

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  static async start(answers: Readonly<Record<string, unknown>>): Promise<IdleEngine> {
    const folder = await mkdtemp(path.join(tmpdir(), 'idle-engine-'));
    const server = createServer((request, answer) => {
      const asked = Object.keys(answers).find((end) => request.url?.split('?')[0]?.endsWith(end));
      // The event stream is requested repeatedly; only the cost of a comparison counts.
      if (asked && asked !== '/version') engine.calls += 1;
      answer.writeHead(asked ? 200 : 404, { 'content-type': 'application/json' });
      answer.end(JSON.stringify(asked ? answers[asked] : { message: 'no such thing' }));
    });
    const engine = new IdleEngine(server, folder);
    await new Promise<void>((resolve) => server.listen(path.join(folder, 'engine.sock'), resolve));
    return engine;
  }

  get host(): string {
    return `unix://${path.join(this.folder, 'engine.sock')}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true });
  }
}
