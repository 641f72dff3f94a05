import type { ThreadTimes } from './thread-time.js';

/** 250 ms from question to answer, less what starting and ending take. */
export const DEADLINE_MS = 200;
/**
 * A thread that has worked for so long when the deadline comes is at fault itself: collecting its garbage is the work of
 * other threads.
 */
const COSTLY_MS = 80;
/** Twice what an honest file of 256 KiB costs. A busy machine stretches the clock, and this hardly. */
const MAX_WORK_MS = 150;
/** Longer than this nobody waits for a busy machine. */
export const MAX_READING_MS = 4000;

/**
 * Whether a reading goes on. `too-complex` says something about the file, `busy` about the machine alone.
 * @param wallMs since the reading began
 * @param times of its thread since then
 */
export function judgeReading(wallMs: number, times: ThreadTimes): 'too-complex' | 'busy' | 'go-on' {
  const { workedMs, waitedMs } = times;
  // Waiting for a processor is not the file's fault; waiting for its own garbage is.
  const isOverdue = wallMs - waitedMs >= DEADLINE_MS && workedMs >= COSTLY_MS;
  if (workedMs >= MAX_WORK_MS || isOverdue) return 'too-complex';
  return wallMs >= MAX_READING_MS ? 'busy' : 'go-on';
}
