import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const MAIN = path.resolve(__dirname, '../../dist/apps/cli/src/main.js');
/** What starts a database, an engine or an application: a list of commands needs none of it. */
const HEAVY = /node_modules\/(@nestjs|typeorm|pg|bullmq|dockerode|zod)\//;

describe('the help of the staff CLI', () => {
  it.each([['--help'], ['nothing'], ['migrate --help'], ['doctor --help'], ['services reconcile --help']])(
    'loads nothing of the product: %s',
    async (line) => {
      // Node names every file that it opens for a module; how long it takes depends on the machine.
      const options = { env: { PATH: process.env['PATH'], NODE_DEBUG: 'esm,module' }, maxBuffer: 64 * 2 ** 20 };
      const run = promisify(execFile)(process.execPath, [MAIN, ...line.split(' ')], options);
      const { stderr } = await run.catch((error: { stderr: string }) => error);
      expect(stderr).toContain('commander');
      expect(HEAVY.exec(stderr)).toBeNull();
    },
  );
});
