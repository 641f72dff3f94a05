import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from '../refusal.mjs';
import { run } from '../run.mjs';

/**
 * The heap grows by a fifth between two full collections instead of threefold: processing a million rows then needs
 * much less memory, and takes a few hundredths longer.
 */
export const MODEST_HEAP = '--heap-growing-percent=20';

export const cliProgram = (root) => path.join(root, 'dist', 'apps', 'cli', 'src', 'main.js');

/**
 * Runs a staff command for the launcher. Its stderr goes to the log.
 * @returns {Promise<string>} its stdout
 */
export async function runStaffCommand({ root, args, env, log, signal }) {
  const descriptor = fs.openSync(log, 'a', 0o600);
  const before = fs.fstatSync(descriptor).size;
  try {
    const options = { env: { ...process.env, ...env }, signal, stdout: 'keep', stderr: descriptor };
    const { code, stdout } = await run(process.execPath, [MODEST_HEAP, cliProgram(root), ...args], options);
    if (code === 0) return stdout;
    const words = lastWords(fs.readFileSync(log).subarray(before).toString('utf8') || stdout);
    throw new Refusal(`cli ${args.join(' ')} failed (${code}): ${words}; see ${log}`);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The last line that a program wrote, short enough for a message. For JSON log lines, their text. */
export function lastWords(text) {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  try {
    const { msg, err, error } = JSON.parse(line);
    return err?.message ?? error?.message ?? msg ?? line.slice(0, 1_000);
  } catch {
    return line.slice(0, 1_000) || 'no output';
  }
}
