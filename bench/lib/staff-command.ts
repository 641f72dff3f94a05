import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface CommandRun {
  readonly seconds: number;
  /** Peak resident memory. */
  readonly peakMb: number;
  readonly answer: any;
}

const LOOK_EVERY_MS = 20;

/**
 * Runs a command of the built staff CLI in its own process, with `--json`.
 * @throws Error unless it exits with 0
 */
export async function staffCommand(root: string, databaseUrl: string, args: readonly string[]): Promise<CommandRun> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['--heap-growing-percent=20', path.join(root, 'dist/apps/cli/src/main.js'), ...args, '--json'],
    {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let peakMb = 0;
  const look = setInterval(() => (peakMb = peakOf(child.pid) ?? peakMb), LOOK_EVERY_MS);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(look);
  const text = Buffer.concat(chunks).toString('utf8');
  if (code !== 0) throw new Error(`cli ${args.join(' ')} ended with ${String(code)}: ${text.slice(0, 500)}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMb, answer: JSON.parse(text) };
}

function peakOf(pid: number | undefined): number | undefined {
  try {
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return peak === undefined ? undefined : Number(peak) / 1024;
  } catch {
    return undefined; // The process has exited.
  }
}
