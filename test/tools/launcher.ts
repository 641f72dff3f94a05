import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

// A start builds everything: three at once on two cores take more than a minute.
const READY_MS = 120_000;
jest.setTimeout(2 * READY_MS);

/** This run's own settings are kept from the processes under test, npm's and Jest's included. */
const OWN = /^(npm_|INIT_CWD|JEST_|NODE_ENV|NODE_OPTIONS|CI$|DATABASE_URL|TEST_|SECRETS_KEYS|OIDC_|.*_PORT$)/;

export const cleanEnvironment = (settings: Record<string, string> = {}): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !OWN.test(entry[0]))),
  ...settings,
});

export interface Finished {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A tool under test: its output so far, and its end. */
export class Launched {
  stdout = '';
  stderr = '';
  readonly finished: Promise<Finished>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.finished = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Waits until stdout holds the text; ends with what was said when the tool ends before. */
  async says(text: string | RegExp): Promise<void> {
    for (const until = Date.now() + READY_MS; ; await pause(25)) {
      if (typeof text === 'string' ? this.stdout.includes(text) : text.test(this.stdout)) return;
      if (this.child.exitCode !== null || Date.now() > until)
        throw new Error(`never said ${String(text)}: ${this.stdout}${this.stderr}`);
    }
  }

  async end(signal: NodeJS.Signals): Promise<Finished> {
    this.child.kill(signal);
    return this.finished;
  }
}

export interface LaunchOptions {
  root: string;
  settings?: Record<string, string>;
  uid?: number;
  program?: string;
}

/** Starts a tool of the sandbox, as another account when `uid` says so. */
export function launch(args: string[], { root, settings, uid, program = process.execPath }: LaunchOptions): Launched {
  const account = uid === undefined ? {} : { uid, gid: uid };
  return new Launched(spawn(program, args, { cwd: root, env: cleanEnvironment(settings), ...account }));
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The processes whose command line or environment names this folder: what an instance has left behind. */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({ pid, text: readOr(`/proc/${pid}/cmdline`) + readOr(`/proc/${pid}/environ`) }))
    .filter(({ text }) => text.includes(folder))
    .map(({ pid, text }) => `${pid} ${text.split('\0').slice(0, 4).join(' ')}`);
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended meanwhile
  }
}
