import os from 'node:os';
import { explain, Refusal, withoutPasswords } from './refusal.mjs';

/** The tool was stopped because a signal asked it to end. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`ended by ${signal}`);
    this.exitCode = 128 + os.constants.signals[signal];
  }
}

const PARENT_POLL_MS = 250;

/**
 * An AbortSignal that fires at the first SIGINT, SIGTERM or SIGHUP. Later ones change nothing: npm passes on the Ctrl-C
 * that the terminal has already sent, so two of them are normal. Under npm it also fires when npm is gone: killed hard,
 * it passes nothing on.
 */
export function interruption() {
  const controller = new AbortController();
  const stop = (signal) => controller.abort(new Interrupted(signal));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && stop('SIGHUP'), PARENT_POLL_MS).unref();
  return controller.signal;
}

/** Settles when the signal fires. */
export const aborted = (signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Runs a tool to its end. Its return value is the exit code; an error is one line on stderr and exit code 1. */
export async function runTool(name, work) {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {}); // a reader that went away
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    process.exitCode = error instanceof Interrupted ? error.exitCode : 1;
    if (error instanceof Interrupted) return;
    process.stderr.write(`${name}: ${explain(error)}\n`);
    if (process.env.DEBUG && !(error instanceof Refusal)) process.stderr.write(`${withoutPasswords(error.stack)}\n`);
  }
}
