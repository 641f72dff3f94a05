import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { SERVER_ENVIRONMENT } from './postgres-cluster.mjs';
import { commandOf, endingOf, endProcess, pause, startOf } from '../processes.mjs';
import { Refusal } from '../refusal.mjs';

const START_PATIENCE_MS = 60_000;
/** Sessions of a killed server end within moments; until then a new server on the same data refuses to start. */
const PREDECESSOR_STILL_THERE = /pre-existing shared memory block|lock file "postmaster.pid" already exists/;
const PREDECESSOR_PATIENCE_MS = 15_000;

/**
 * Fast shutdown first: it rolls back open transactions and leaves clean data. After the last resorts the next start
 * recovers.
 */
const SHUTDOWN = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

const lockFile = (data) => path.join(data, 'postmaster.pid');
const lockLines = (data) => {
  try {
    return fs.readFileSync(lockFile(data), 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** Stops a server that still runs on these data because its launcher was killed, and removes its stale lock. */
export async function endOrphan(data) {
  const pid = Number(lockLines(data)[0]);
  const identity = { pid, start: startOf(pid) };
  if (commandOf(pid).includes(data)) await endProcess(identity, SHUTDOWN);
  fs.rmSync(lockFile(data), { force: true }); // its number may belong to an unrelated process by now
}

/** Starts the server and waits until it accepts connections, after crash recovery if needed. */
export async function startServer(options) {
  const giveUp = Date.now() + PREDECESSOR_PATIENCE_MS;
  for (;;) {
    const attempt = await startOnce(options);
    if (attempt.server) return attempt.server;
    if (!PREDECESSOR_STILL_THERE.test(attempt.complaint) || Date.now() > giveUp)
      throw new Refusal(
        `PostgreSQL does not start on ${options.data}: ${attempt.complaint}; ` +
          `restore the data, or move ${path.dirname(options.data)} away to start with an empty database`,
      );
    await pause(250);
  }
}

async function startOnce({ bin, data, port, logFile, settings, account }) {
  const log = fs.openSync(logFile, 'a', 0o600);
  const logStart = fs.fstatSync(log).size;
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const args = ['-D', data, '-p', String(port), ...Object.entries(all).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
  // In its own process group, so that Ctrl-C reaches only the launcher, which stops the applications first.
  const options = { ...account, env: SERVER_ENVIRONMENT, cwd: '/', detached: true, stdio: ['ignore', log, log] };
  const child = spawn(path.join(bin, 'postgres'), args, options);
  fs.closeSync(log);
  let ended = false;
  const exited = new Promise((resolve) => {
    const settle = (how) => {
      ended = true;
      resolve(how);
    };
    child
      .once('exit', (code, signal) => settle(endingOf(code, signal)))
      .once('error', ({ message }) => settle(message));
  });
  const stop = () => endProcess({ pid: child.pid, start: startOf(child.pid) }, SHUTDOWN);
  for (const until = Date.now() + START_PATIENCE_MS; !ended && Date.now() < until; await pause(10)) {
    const [pid, , , , , , , status] = lockLines(data); // line 8 of the lock file is the server's own state
    if (Number(pid) === child.pid && status?.trim() === 'ready') return { server: { pid: child.pid, exited, stop } };
  }
  if (!ended) await stop();
  return { complaint: complaintIn(logFile, logStart) };
}

/** The server's own message on why it did not start. */
function complaintIn(logFile, from) {
  const lines = fs.readFileSync(logFile).subarray(from).toString('utf8').split('\n');
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line));
  return fatal?.replace(/^.*\b(FATAL|PANIC):\s*/, '') ?? `see ${logFile}`;
}
