import { execFile } from 'node:child_process';
import path from 'node:path';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = path.resolve(__dirname, '../../dist/apps/cli/src/main.js');

/** Runs the built staff CLI as its own process, as a script would. */
export function cli(
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
