import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { GitLimits } from './git-settings.js';

/** Keeps the environment, the home folder and the system's configuration away from git. */
const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LANG: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  // Overrides every `protocol.*` setting: no file, ext or plain http.
  GIT_ALLOW_PROTOCOL: 'https:ssh',
};

const CPU_SECONDS = 60;
const MEMORY_BYTES = 1_500_000_000;
const MAX_OUTPUT = 1024 * 1024;

/** The output of git when it did not exit with 0. */
export class GitEnded extends Error {
  constructor(
    readonly stderr: string,
    readonly exitCode: number | null,
    readonly signalName: string | null,
  ) {
    super(`git ended with ${exitCode ?? signalName}: ${stderr.trim().slice(0, 2000)}`);
    this.name = 'GitEnded';
  }
}

export interface GitCall {
  readonly environment?: Readonly<Record<string, string>>;
  readonly limits: GitLimits;
  readonly signal?: AbortSignal;
}

/** @returns all of its output @throws GitEnded; the reason of the signal */
export async function runGit(args: readonly string[], call: GitCall): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of streamGit(args, call)) {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT) throw new RangeError('git produced more output than expected');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The output as it arrives. To stop reading ends the process and its children. */
export async function* streamGit(args: readonly string[], { environment, limits, signal }: GitCall) {
  signal?.throwIfAborted();
  const child = start(args, environment ?? {}, limits);
  const ended = new Promise<readonly [number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, name) => resolve([code, name]));
  });
  // The caller that awaits it reports it.
  ended.catch(() => undefined);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-16_384);
  });
  const stop = () => killGroup(child.pid);
  signal?.addEventListener('abort', stop, { once: true });
  let isOver = false;
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const [code, name] = await ended;
    isOver = true;
    signal?.throwIfAborted();
    if (code !== 0) throw new GitEnded(stderr, code, name);
  } finally {
    signal?.removeEventListener('abort', stop);
    if (!isOver) stop();
  }
}

/**
 * Runs in its own process group, so that children end with it, and with limits that the kernel enforces. It also ends
 * when this process dies.
 */
function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  limits: GitLimits,
): ChildProcessByStdio<null, Readable, Readable> {
  const bounds = [`--fsize=${limits.packBytes}`, `--cpu=${CPU_SECONDS}`, `--as=${MEMORY_BYTES}`, '--core=0'];
  return spawn('setpriv', ['--pdeathsig', 'KILL', 'prlimit', ...bounds, 'git', ...args], {
    env: { ...ENVIRONMENT, ...environment },
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
