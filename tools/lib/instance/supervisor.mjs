import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { POLITE } from './claim.mjs';
import { endingOf, endProcess, pause, send, startOf, wasKilled } from '../processes.mjs';
import { Refusal } from '../refusal.mjs';

const BACKOFF_MS = 1_000;
/** A process that ends by itself this often within this time is not restarted again. */
const MAX_ENDS = 5;
const WITHIN_MS = 60_000;

/**
 * Starts one process of the instance, in a process group of its own: Ctrl-C in the terminal reaches the launcher alone,
 * which then stops everything in order.
 * @returns {{ pid: number, exited: Promise<string>, stop: () => Promise<void> }} `exited` says how it ended
 */
export function startProcess({ args, env, log }) {
  const child = spawnLogged(args, env, log);
  const { pid } = child;
  const identity = { pid, start: startOf(pid) };
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      endGroup(pid);
      resolve(endingOf(code, signal));
    });
  });
  return { pid, exited, stop: () => endProcess(identity, POLITE) };
}

/** @param {string | NodeJS.WritableStream} log a file, `inherit`, or a stream that stdout goes through */
function spawnLogged(args, env, log) {
  const options = { env, detached: true };
  if (log === 'inherit') return spawn(process.execPath, args, { ...options, stdio: ['ignore', log, log] });
  if (typeof log !== 'string') {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.pipe(log, { end: false });
    return child;
  }
  const file = fs.openSync(log, 'a', 0o600);
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', file, file] });
  fs.closeSync(file);
  return child;
}

/** Ends child processes that an ended process may have left in its group. */
function endGroup(pid) {
  if (pid !== undefined) send(-pid, 'SIGKILL');
}

/**
 * Keeps the processes of an instance running. One that ends is started again after a second. The whole instance is
 * given up when one ends before the instance was ready, or by itself for the fifth time within a minute; one that is
 * killed is started again however often that happens.
 */
export class Supervisor {
  #running = new Map();
  #launches = new Set();
  #stopping = false;
  #ready = false;
  #giveUp;
  /** Rejects if the instance must be given up. */
  failure = new Promise((_, reject) => (this.#giveUp = reject));

  /** @param {{ say: (line: string) => void, onStart: (name: string, pid: number) => void }} listener */
  constructor(listener) {
    this.listener = listener;
    this.failure.catch(() => {}); // whoever waits for it hears of it; nobody has to
  }

  /** @param {() => Promise<{ pid, exited, stop }>} launch starts the process, now and after each end */
  async start(name, launch, ends = []) {
    const launching = launch();
    this.#launches.add(launching);
    const running = await launching.finally(() => this.#launches.delete(launching));
    this.#running.set(name, running);
    this.listener.onStart(name, running.pid);
    void running.exited.then((how) => this.#onExit(name, launch, ends, how));
    return running;
  }

  /** From now on a process that ends is restarted. */
  markReady() {
    this.#ready = true;
  }

  async #onExit(name, launch, before, how) {
    if (this.#stopping) return;
    const now = performance.now();
    const recent = before.filter((endedAt) => now - endedAt < WITHIN_MS);
    const ends = wasKilled(how) ? recent : [...recent, now];
    if (!this.#ready || ends.length >= MAX_ENDS) return this.#giveUp(new Refusal(`${name} ended (${how})`));
    this.listener.say(`${name} ended (${how}); restarting it`);
    await pause(BACKOFF_MS);
    if (this.#stopping) return;
    await this.start(name, launch, ends).catch(this.#giveUp);
  }

  /** Stops the applications together and then the servers they use. */
  async stop(foundation) {
    this.#stopping = true;
    await Promise.allSettled(this.#launches);
    const all = [...this.#running];
    await Promise.all(all.filter(([name]) => name !== foundation).map(([, running]) => running.stop()));
    await this.#running.get(foundation)?.stop();
  }
}
