import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 250;

/**
 * A lock for all tests of this machine. Waits until fewer than `atOnce` others hold `what`, and then holds it too.
 * Locks of dead processes do not count.
 * @returns a function that releases the lock
 */
export async function takeTurn(what: string, longestWaitMs: number, atOnce = 1): Promise<() => void> {
  const files = Array.from({ length: atOnce }, (_, place) => join(tmpdir(), `test-${what}-${place}.lock`));
  const deadline = Date.now() + longestWaitMs;
  for (;;) {
    const taken = files.find(take);
    if (taken) return () => rmSync(taken, { force: true });
    if (Date.now() > deadline) throw new Error(`other tests hold ${files.join(', ')}`);
    await delay(LOOK_EVERY_MS);
  }
}

/** @returns whether this process has the lock now; a file of a dead process is removed, so the next attempt succeeds */
function take(file: string): boolean {
  try {
    const opened = openSync(file, 'wx');
    writeSync(opened, String(process.pid));
    closeSync(opened);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

function isHeld(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')) || process.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
