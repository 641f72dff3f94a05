import { type Command, PASSWORD, secret } from '#libs/templates';
import type { DatabaseTarget } from '../../programs/database-target.js';

/** Settings that the owner may have given the user, and that the panel's own work must not run into. */
const PLAIN_SETTINGS = [
  ...['statement_timeout=0', 'lock_timeout=0', 'idle_in_transaction_session_timeout=0'],
  ...['default_transaction_read_only=off', 'role=none', 'standard_conforming_strings=on'],
]
  .map((option) => `-c ${option}`)
  .join(' ');

/** Environment of the programs of PostgreSQL. @param application by which its sessions are found */
export function login(application: string): Command['environment'] {
  return {
    PGPASSWORD: [secret(PASSWORD)],
    PGCONNECT_TIMEOUT: '10',
    PGAPPNAME: application,
    PGOPTIONS: PLAIN_SETTINGS,
  };
}

/** A client that prints rows as plain lines and ends at the first error. */
export function psql({ input: { user } }: DatabaseTarget, database: string, application: string): Command {
  const output = ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];
  return {
    command: ['psql', '-h', '127.0.0.1', '-U', user, '-d', database, ...output],
    environment: login(application),
  };
}
