import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
/** The production flags of the partner API. Baselines run with the same flags. */
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=64', '--no-allocation-site-pretenuring'];

/** A server under measurement, in its own process. */
export class Program {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    /** Time from the start of the process to its first response with 200. */
    readonly startSeconds: number,
  ) {}

  /** @param path answers 200 as soon as the program is ready */
  static async start(options: {
    file: string;
    env: Readonly<Record<string, string>>;
    port: number;
    path: string;
    log: string;
  }): Promise<Program> {
    const log = fs.openSync(options.log, 'a', 0o600);
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...FLAGS, options.file], {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...options.env },
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${options.file} ended at its start: see ${options.log}`);
      if (await answers(options.port, options.path)) break;
      if (performance.now() - startedAt > START_TIMEOUT_MS) {
        child.kill('SIGKILL');
        throw new Error(`${options.file} did not answer: see ${options.log}`);
      }
      await pause(5);
    }
    return new Program(options.port, child, (performance.now() - startedAt) / 1000);
  }

  /** Resident memory in MB. */
  residentMb(): number {
    const status = fs.readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  /** CPU time since its start, in seconds. */
  cpuSeconds(): number {
    const fields = fs.readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    // User and system time, in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  async stop(): Promise<void> {
    const last = setTimeout(() => this.child.kill('SIGKILL'), 15_000);
    await this.end('SIGTERM');
    clearTimeout(last);
  }

  /** Sends SIGKILL. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await ended;
  }
}

async function answers(port: number, path: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
