import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface KillableApi {
  readonly url: string;
  /** Number of requests that have stopped at the place in their header `x-hold-at`. */
  held(): number;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts the built partner API as a process in which requests can be stopped. */
export async function startKillableApi(databaseUrl: string, env: Record<string, string> = {}): Promise<KillableApi> {
  const child = spawn(process.execPath, [path.resolve(__dirname, 'killable-api-process.mjs')], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      PC_RATE_RPS: '1000',
      PC_RATE_BURST: '1000',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const lines = createInterface(child.stdout);
  const early = ended.then(() => Promise.reject(new Error(`the API ended before it listened: ${errors}`)));
  early.catch(() => undefined);
  const [url] = (await Promise.race([once(lines, 'line'), early])) as [string];
  let held = 0;
  lines.on('line', (line) => (held += line === 'held' ? 1 : 0));
  return {
    url,
    held: () => held,
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
