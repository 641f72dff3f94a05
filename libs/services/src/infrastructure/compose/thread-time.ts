import { readFileSync, readlinkSync } from 'node:fs';

/** The system's number of the calling thread; null except on Linux. */
export function systemThreadId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').pop());
  } catch {
    return null;
  }
}

export interface ThreadTimes {
  /** Milliseconds of CPU time. */
  readonly workedMs: number;
  /** Milliseconds of waiting for a CPU while all were busy. */
  readonly waitedMs: number;
}

/** The times of a thread of this process since its start; null if the system does not report them. */
export function threadTimes(threadId: number | null): ThreadTimes | null {
  if (threadId === null) return null;
  try {
    const [worked, waited] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'utf8').split(' ');
    return { workedMs: Number(worked) / 1e6, waitedMs: Number(waited) / 1e6 };
  } catch {
    return null;
  }
}
