import { readFileSync, readlinkSync } from 'node:fs';

/** The system's number of the thread that asks; null where the system has no such thing (it is not Linux). */
export function systemThreadId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').pop());
  } catch {
    return null;
  }
}

/** Milliseconds that a thread of this process has had a processor; null where the system does not tell. */
export function processorTimeMs(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}
