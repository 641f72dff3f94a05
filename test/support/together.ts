import path from 'node:path';
import { specsTogether } from '../../tools/lib/tests/together.mjs';

/** Runs the specs of a folder in one Jest file, so that they load the application's code only once. */
export function describeTogether(folder: string): void {
  for (const file of specsTogether(folder)) {
    // Within a describe, so that hooks at the top level of a spec apply only to that spec.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- describe takes no promise
    describe(path.basename(file), () => void require(file));
  }
}
