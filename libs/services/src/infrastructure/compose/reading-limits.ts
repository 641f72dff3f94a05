import type { ThreadTimes } from './thread-time.js';

/** An answer takes at most 250 ms, including the time to start and to end the reading. */
export const DEADLINE_MS = 200;
/**
 * With this much CPU time at the deadline, the file is too complex. Garbage collection runs on other threads and is not
 * included.
 */
const COSTLY_MS = 80;
/** Twice the CPU time of a normal file of 256 KiB. Unlike wall time, it hardly depends on the load of the machine. */
const MAX_WORK_MS = 150;
/** The maximum wait on a busy machine. */
export const MAX_READING_MS = 4000;

/**
 * Whether a reading may continue. `too-complex` is about the file, `busy` about the machine.
 * @param wallMs since the reading began
 * @param times of its thread since then
 */
export function judgeReading(wallMs: number, times: ThreadTimes): 'too-complex' | 'busy' | 'go-on' {
  const { workedMs, waitedMs } = times;
  // Waiting for a CPU is not the file's fault, but waiting for its own garbage collection is.
  const isOverdue = wallMs - waitedMs >= DEADLINE_MS && workedMs >= COSTLY_MS;
  if (workedMs >= MAX_WORK_MS || isOverdue) return 'too-complex';
  return wallMs >= MAX_READING_MS ? 'busy' : 'go-on';
}
