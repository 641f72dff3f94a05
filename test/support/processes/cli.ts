import { execFile, spawn } from 'node:child_process';
import { builtProgram } from './built-program.js';
import { staffCli } from './staff-cli.js';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the staff CLI in this process, because starting Node.js for every call would take most of the tests' time. */
export async function cli(
  databaseUrl: string | null,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CliRun> {
  const { code, out, err } = await staffCli({ ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}), ...env }, args);
  return { code, stdout: out, stderr: err };
}

const MAIN = builtProgram('cli');

/** Runs the built staff CLI as a process, as a script would. */
export function cliProcess(
  databaseUrl: string | null,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CliRun> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}), ...env } };
    execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Like `cliProcess`, but the reader of the output closes the pipe before it reads anything. */
export function cliWithoutReader(databaseUrl: string, args: readonly string[]): Promise<Omit<CliRun, 'stdout'>> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? -1, stderr })));
}
