import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync, statSync } from 'node:fs';

export interface HalfStored {
  /** Restores the file, so that the next reader gets all of it. */
  mend(): Promise<void>;
}

/** Replaces a file by a pipe that delivers the first half of the file, and then neither more bytes nor an end. */
export function giveOnlyHalf(file: string): HalfStored {
  const whole = `${file}.whole`;
  renameSync(file, whole);
  execFileSync('mkfifo', ['-m', '600', file]);
  const half = Math.floor(statSync(whole).size / 2);
  // Opened for reading and writing, so it does not wait for a reader, and readers never see the end.
  const give = 'exec 3<> "$1"; head -c "$2" "$0" >&3; exec sleep 600';
  const giver = spawn('sh', ['-c', give, whole, file, String(half)], { stdio: 'ignore' });
  return {
    mend: async () => {
      giver.kill('SIGKILL');
      await once(giver, 'exit');
      rmSync(file);
      renameSync(whole, file);
    },
  };
}
