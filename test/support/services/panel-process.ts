import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from '../processes/built-program.js';
import { lookAgain } from '../look-again.js';

/** A built program of the panel as a process. */
export interface PanelProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Sends the signal and waits for the exit. Also wakes a stopped process. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the process and waits until it is ready. @param readyUrl answers with 200 as soon as it is ready */
export async function startPanelProcess(
  program: 'panel-api' | 'worker',
  env: Readonly<Record<string, string>>,
  readyUrl: string,
): Promise<PanelProcess> {
  const main = builtProgram(program);
  const child = spawn(process.execPath, [main], { env: { PATH: process.env.PATH, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = once(child, 'exit');
  const since = Date.now();
  while (!(await answers(readyUrl))) {
    if (child.exitCode !== null || Date.now() - since > 30_000) {
      child.kill('SIGKILL');
      throw new Error(`the ${program} is not ready: ${output}`);
    }
    await lookAgain(Date.now() - since);
  }
  return {
    child,
    output: () => output,
    end: async (signal = 'SIGTERM') => {
      child.kill('SIGCONT');
      child.kill(signal);
      await exit;
    },
  };
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
