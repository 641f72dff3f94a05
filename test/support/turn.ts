import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 250;

/**
 * Waits until no other test of this machine holds `what`, and holds it then. A turn of a process that died does not
 * count. @returns what ends the turn
 */
export async function takeTurn(what: string, longestWaitMs: number): Promise<() => void> {
  const file = join(tmpdir(), `test-${what}.lock`);
  const deadline = Date.now() + longestWaitMs;
  for (;;) {
    try {
      const opened = openSync(file, 'wx');
      writeSync(opened, String(process.pid));
      closeSync(opened);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!isHeld(file)) rmSync(file, { force: true });
    else if (Date.now() > deadline) throw new Error(`another test holds ${file}`);
    else await delay(LOOK_EVERY_MS);
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
