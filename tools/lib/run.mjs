import { spawn } from 'node:child_process';

/**
 * Runs a program to its end. Stopped when `signal` fires, with that signal's reason as the error.
 * @param {{ signal?: AbortSignal, stdout?: 'keep' | number, stderr?: 'keep' | number }} options
 *   a number: the stream goes to this descriptor; `keep`: it comes back as text
 * @returns {Promise<{ code: number | string, stdout: string, stderr: string }>} `code` is the name of the signal when
 *   one ended the program, and the error's code when the program could not be started
 */
export function run(program, args, { signal, stdout = 2, stderr = 2, ...options } = {}) {
  const target = (wanted) => (wanted === 'keep' ? 'pipe' : wanted);
  const texts = { stdout: '', stderr: '' };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, signal, stdio: ['ignore', target(stdout), target(stderr)] });
    for (const name of ['stdout', 'stderr'])
      child[name]?.setEncoding('utf8').on('data', (text) => (texts[name] += text));
    let failure;
    child.once('error', (error) => {
      failure = error;
      if (child.pid === undefined) resolve({ code: error.code, ...texts });
    });
    child.once('close', (code, killedBy) => {
      if (signal?.aborted) reject(signal.reason);
      else resolve({ code: failure?.code ?? code ?? killedBy, ...texts });
    });
  });
}
