import { spawn } from 'node:child_process';
import { BuildFailed } from '../../../application/ports/git/image-builder.js';
import type { NixpacksPrograms } from './installed-programs.js';

const WALL_MS = 60_000;
const CPU_SECONDS = 30;
const MEMORY_BYTES = 2_000_000_000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_OUTPUT = 4 * 1024 * 1024;
const SOURCE = '/source';
const OUT = '/out';
const PROGRAM = '/nixpacks';

export interface SandboxFolders {
  readonly source: string;
  readonly out: string;
}

/**
 * Runs nixpacks where it sees the repository and nothing else of this machine: no network, no environment, no other
 * process. A repository can tell it to write files to any place, so only one folder can be written to.
 * @param args with `SOURCE` and `OUT` for the folders
 * @returns its output @throws BuildFailed with what it said; the reason of the signal
 */
export async function runNixpacks(
  { bwrap, nixpacks }: NixpacksPrograms,
  args: (folders: SandboxFolders) => readonly string[],
  { source, out }: SandboxFolders,
  signal?: AbortSignal,
): Promise<string> {
  signal?.throwIfAborted();
  const bounds = [`--cpu=${CPU_SECONDS}`, `--as=${MEMORY_BYTES}`, `--fsize=${MAX_FILE_BYTES}`, '--core=0'];
  const view = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--chdir', '/'],
    ...['--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin', '--setenv', 'HOME', '/tmp'],
    ...['/usr', '/bin', '/lib', '/lib64'].flatMap((folder) => ['--ro-bind-try', folder, folder]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--ro-bind', nixpacks, PROGRAM, '--ro-bind', source, SOURCE, '--bind', out, OUT],
  ];
  const command = ['prlimit', ...bounds, bwrap, ...view, PROGRAM, ...args({ source: SOURCE, out: OUT })];
  const wall = AbortSignal.timeout(WALL_MS);
  const ends = signal ? AbortSignal.any([signal, wall]) : wall;
  const { code, stdout, said } = await run(command, ends);
  signal?.throwIfAborted();
  if (wall.aborted) throw new BuildFailed(`nixpacks took longer than ${WALL_MS / 1000} s.`);
  if (code !== 0) throw new BuildFailed(`nixpacks failed: ${said}`);
  return stdout;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** The last of what it said, on one line. */
  readonly said: string;
}

function run(command: readonly string[], ends: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = () => child.kill('SIGKILL');
    ends.addEventListener('abort', stop, { once: true });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.length > MAX_OUTPUT) stop();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-4_096)));
    child.once('error', reject);
    child.once('close', (code) => {
      ends.removeEventListener('abort', stop);
      const said = (stderr.trim() || stdout.trim() || `it ended with ${code ?? 'a signal'}`).slice(-400);
      resolve({ code, stdout, said: said.replace(/\s+/g, ' ') });
    });
  });
}
