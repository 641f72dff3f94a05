import { readFileSync, readlinkSync } from 'node:fs';

/** The system's number of the thread that asks; null where the system has no such thing (it is not Linux). */
export function systemThreadId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').pop());
  } catch {
    return null;
  }
}

export interface ThreadTimes {
  /** Milliseconds with a processor. */
  readonly workedMs: number;
  /** Milliseconds of waiting for one, while others had them all. */
  readonly waitedMs: number;
}

/** Of a thread of this process, since it started; null where the system does not tell. */
export function threadTimes(threadId: number | null): ThreadTimes | null {
  if (threadId === null) return null;
  try {
    const [worked, waited] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'utf8').split(' ');
    return { workedMs: Number(worked) / 1e6, waitedMs: Number(waited) / 1e6 };
  } catch {
    return null;
  }
}
