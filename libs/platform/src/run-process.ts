import { accessRefusal, isDatabaseUnavailable } from './database/database-errors.js';
import { StartRefused } from './start-refused.js';

/**
 * Starts a process. If it cannot start, ends it with code 1 and one clear line on stderr; unexpected errors keep their
 * stack.
 */
export function runProcess(start: (env: Readonly<Record<string, string | undefined>>) => Promise<void>): void {
  // The one place where the environment is read.
  // eslint-disable-next-line no-restricted-properties
  start(process.env).catch((error: unknown) => {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exit(1);
  });
}

export function startFailure(error: unknown): string {
  if (error instanceof StartRefused) return error.message;
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is in use. Stop the other program or choose another port.`;
  if (code === 'EACCES' && port) return `Port ${port} may not be opened by this user. Choose a port above 1023.`;
  if (isDatabaseUnavailable(error))
    return 'The database at DATABASE_URL is not responding. Check the address and that it is running.';
  const refusal = accessRefusal(error);
  if (refusal) return `The database at DATABASE_URL refuses the connection: ${refusal}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
