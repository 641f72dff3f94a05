import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const LIBRARIES = '/usr/lib';

/** The library of Debian's package faketime. Null if it is not installed. */
const library =
  readdirSync(LIBRARIES)
    .map((folder) => path.join(LIBRARIES, folder, 'faketime/libfaketime.so.1'))
    .find((file) => existsSync(file)) ?? null;

/** Environment variables that set the clock of a process ahead by some days. Its timers are not affected. */
export function clockAhead(days: number): Readonly<Record<string, string>> {
  const FAKETIME = `${days < 0 ? '' : '+'}${days}d`;
  return { LD_PRELOAD: library ?? '', FAKETIME, DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
}

/** An `it` that shifts clocks. Without faketime it is skipped with the reason. With `CI=true` it fails instead. */
export function itWithShiftedClocks(name: string, test: () => Promise<void>, timeoutMs: number): void {
  const missing = 'faketime is not installed (Debian: apt-get install faketime)';
  if (library !== null) it(name, test, timeoutMs);
  else if (process.env.CI === 'true') it(name, () => Promise.reject(new Error(missing)));
  else {
    process.stderr.write(`skipped: ${name}: ${missing}\n`);
    it.skip(name, test);
  }
}
