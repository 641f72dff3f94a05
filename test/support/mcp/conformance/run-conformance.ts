import { execFile } from 'node:child_process';
import path from 'node:path';

const PROGRAM = path.resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');
const PRELOAD = path.join(__dirname, 'preload.mjs');

export interface ConformanceRun {
  /** 0 if exactly the scenarios in the baseline fail. */
  readonly code: number;
  readonly output: string;
}

/**
 * Runs the official conformance program against a server, with every scenario that a revision of the protocol requires.
 * @param baseline YAML file with the scenarios that are expected to fail
 */
export function runConformance(url: string, revision: string, baseline: string): Promise<ConformanceRun> {
  const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline];
  const options = { env: { PATH: process.env.PATH }, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', PRELOAD, PROGRAM, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}
