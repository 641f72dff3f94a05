import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync, statSync } from 'node:fs';

export interface HalfStored {
  /** Whoever reads next reads all of it. */
  mend(): Promise<void>;
}

/** A file in the place of which a pipe lies that gives its first half and then nothing, without an end. */
export function giveOnlyHalf(file: string): HalfStored {
  const whole = `${file}.whole`;
  renameSync(file, whole);
  execFileSync('mkfifo', ['-m', '600', file]);
  const half = Math.floor(statSync(whole).size / 2);
  // It opens the pipe for both, so it waits for no reader, and a reader never sees an end.
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
