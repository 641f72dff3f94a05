import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const MODULE = path.resolve(__dirname, '../../tools/lib/supervisor.mjs');

/** A process that ends at once, as often as it is started; prints how often that was, and why it was given up. */
const WATCH = `
  const { Supervisor } = await import(${JSON.stringify(MODULE)});
  const supervisor = new Supervisor({ say: () => undefined, onStart: () => undefined });
  let starts = 0;
  const launch = async () => ({ pid: ++starts, exited: Promise.resolve('exit code 3'), stop: async () => undefined });
  if (process.argv[1] === 'ready') supervisor.markReady();
  await supervisor.start('partner-api', launch);
  await supervisor.failure.catch(({ message }) => process.stdout.write(JSON.stringify({ starts, message })));
`;

describe('a process of an instance that ends by itself', () => {
  const watch = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', WATCH, ...args]);
    return JSON.parse(stdout) as unknown;
  };

  it('is started again, until it has ended five times within a minute', async () => {
    expect(await watch('ready')).toEqual({ starts: 5, message: 'partner-api ended (exit code 3)' });
  });

  it('is not started again before the instance was ready', async () => {
    expect(await watch()).toEqual({ starts: 1, message: 'partner-api ended (exit code 3)' });
  });
});
