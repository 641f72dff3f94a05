import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const MODULE = path.resolve(__dirname, '../../tools/lib/instance/supervisor.mjs');

/**
 * A process that ends at once, as often as it is started: first by SIGKILL so often as is asked for, then by itself.
 * Prints how often it was started, and why it was given up.
 */
const WATCH = `
  const { Supervisor } = await import(${JSON.stringify(MODULE)});
  const supervisor = new Supervisor({ say: () => undefined, onStart: () => undefined });
  const [ready, kills = '0'] = process.argv.slice(1);
  let starts = 0;
  const ending = () => (starts <= Number(kills) ? 'ended by SIGKILL' : 'exit code 3');
  const launch = async () => ({ pid: ++starts, exited: Promise.resolve(ending()), stop: async () => undefined });
  if (ready === 'ready') supervisor.markReady();
  await supervisor.start('partner-api', launch);
  await supervisor.failure.catch(({ message }) => process.stdout.write(JSON.stringify({ starts, message })));
`;

describe('a process of an instance that ends', () => {
  const watch = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', WATCH, ...args]);
    return JSON.parse(stdout) as unknown;
  };

  it('is started again, until it has ended by itself five times within a minute', async () => {
    expect(await watch('ready')).toEqual({ starts: 5, message: 'partner-api ended (exit code 3)' });
  });

  it('is started again however often it is killed', async () => {
    expect(await watch('ready', '5')).toEqual({ starts: 10, message: 'partner-api ended (exit code 3)' });
  });

  it('is not started again before the instance was ready', async () => {
    expect(await watch()).toEqual({ starts: 1, message: 'partner-api ended (exit code 3)' });
  });
});
