import type { Program } from './program.js';

const LOOK_EVERY_MS = 5;

/** @returns MB that were resident in the program at most during the work */
export async function peakDuring(program: Program, work: () => Promise<unknown>): Promise<number> {
  let most = program.residentMb();
  const timer = setInterval(() => (most = Math.max(most, program.residentMb())), LOOK_EVERY_MS);
  try {
    await work();
    return most;
  } finally {
    clearInterval(timer);
  }
}
