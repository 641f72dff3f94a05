import path from 'node:path';
import { specsTogether } from '../../tools/lib/tests/together.mjs';

/** The specs of a folder in one Jest file, so that they share one copy of the application's code. */
export function describeTogether(folder: string): void {
  for (const file of specsTogether(folder)) {
    // Within a describe, because hooks that stand at the top of a file belong to that file alone.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- describe takes no promise
    describe(path.basename(file), () => void require(file));
  }
}
