import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Distinguishes a process from a later one with the same number: its start time as recorded by the system. Undefined if
 * no such process runs (a zombie counts as gone).
 */
export function startOf(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform === 'linux') {
    try {
      const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      // The command in parentheses may contain blanks and parentheses: parse from after the last one.
      const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
      return fields[0] === 'Z' ? undefined : `${boot} ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  return fromPs('lstart', pid) || undefined;
}

/** The command line of a process; empty if it cannot be read. */
export function commandOf(pid) {
  if (process.platform !== 'linux') return fromPs('command', pid);
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function fromPs(column, pid) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], options).trim();
  } catch {
    return '';
  }
}

/** True while exactly that process runs: same number, same start time. */
export const isSame = ({ pid, start }) => start !== undefined && startOf(pid) === start;

/** Sends a signal; a process that is already gone is not an error. */
export function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Sends each signal in turn, and waits the given time before the next one. */
export async function endProcess(identity, signals) {
  for (const [signal, timeoutMs] of signals) {
    if (!isSame(identity)) return;
    send(identity.pid, signal);
    for (const until = Date.now() + timeoutMs; isSame(identity) && Date.now() < until;) await pause(25);
  }
}

/** Describes how a child process ended. */
export const endingOf = (code, signal) => (signal ? `ended by ${signal}` : `exit code ${code}`);

const SENT_BY_OTHERS = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => endingOf(null, signal));

/** Killed by somebody, or by the kernel for lack of memory. This does not predict the next start. */
export const wasKilled = (ending) => SENT_BY_OTHERS.includes(ending);
