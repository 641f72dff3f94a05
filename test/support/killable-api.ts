import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

export interface KillableApi {
  readonly url: string;
  /** Settles with the signal that ended it, its own included. */
  readonly ended: Promise<NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): Promise<NodeJS.Signals | null>;
}

/** The built partner API as a process of its own. @param failPoint where it kills itself; null for nowhere */
export async function startKillableApi(
  databaseUrl: string,
  failPoint: string | null,
  env: Record<string, string> = {},
): Promise<KillableApi> {
  const child = spawn(process.execPath, [path.resolve(__dirname, 'killable-api-process.mjs')], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      PC_RATE_RPS: '1000',
      PC_RATE_BURST: '1000',
      LOG_LEVEL: 'warn',
      ...env,
      ...(failPoint === null ? {} : { FAILPOINT: failPoint }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { url: await firstLine(child, ended), ended, kill };
}

async function firstLine(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const line = new Promise<string>((resolve) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) resolve(text.trim());
    });
  });
  const early = ended.then(() => Promise.reject(new Error(`the API ended before it listened: ${errors}`)));
  early.catch(() => undefined);
  return Promise.race([line, early]);
}
