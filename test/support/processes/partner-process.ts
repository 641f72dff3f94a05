import { spawn, type ChildProcess } from 'node:child_process';
import { builtProgram } from './built-program.js';
import { freePort } from '../free-port.js';

/** A key ring for tests. */
export const TEST_SECRETS_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

export interface PartnerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly metricsUrl: string;
  readonly output: () => string;
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string>;
}

const MAIN = builtProgram('partner-api');

/** Starts the built partner API as a process and waits until it is ready. */
export async function startPartnerProcess(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<PartnerProcess> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      PARTNER_API_PORT: String(port),
      PARTNER_METRICS_PORT: String(metricsPort),
      ...env,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | string>((resolve) =>
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  const url = `http://127.0.0.1:${port}`;
  await ready(`${url}/readyz`, child, () => output);
  return { child, url, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, output: () => output, ended };
}

async function ready(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`the process ended before it was ready: ${output()}`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error(`not ready within 30 s: ${output()}`);
}
