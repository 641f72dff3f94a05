import { type Command, PASSWORD, secret } from '#libs/templates';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { REPLACED, RESTORING, VIEWS } from './scripts.js';

/**
 * The tools read the password from a file. This file is in memory and is unlinked before the tool starts, so that the
 * password is not in the tool's arguments or environment and not on any disk.
 */
const WITH_PASSWORD = `command -v "$1" > /dev/null || { echo "the image has no $1" >&2; exit 127; }
umask 077
file=$(mktemp /dev/shm/panel.XXXXXX) || exit 1
printf '%s\\n' "$PANEL_CONFIG" > "$file"
exec 3< "$file"
rm "$file"
exec env -u PANEL_CONFIG "$@" --config /dev/fd/3`;

function tool(name: string, { input }: DatabaseTarget, options: readonly string[]): Command {
  const server = ['--host', '127.0.0.1', '--port', '27017'];
  const login = ['--username', input.user, '--authenticationDatabase', 'admin'];
  return {
    command: ['sh', '-c', WITH_PASSWORD, 'sh', name, ...server, ...login, '--archive', ...options],
    // A password has no quotes, backslashes and dollars.
    environment: { PANEL_CONFIG: ["password: '", secret(PASSWORD), "'"] },
  };
}

/** Dumps the database without the collections that an interrupted restore has left behind. */
export function dumpOf(target: DatabaseTarget): Command {
  const left = [`--excludeCollectionsWithPrefix=${RESTORING}`, `--excludeCollectionsWithPrefix=${REPLACED}`];
  return tool('mongodump', target, ['--db', target.input.database, ...left, `--excludeCollection=${VIEWS}`]);
}

/**
 * Documents that violate the validator of their collection are restored too, because they may be older than it.
 * @param prefix prefix of the restored collections' names; empty to replace the collections in place
 */
export function restoreOf(target: DatabaseTarget, prefix: string): Command {
  const { database } = target.input;
  const names = ['--nsInclude', `${database}.*`];
  const beside = ['--nsFrom', `${database}.*`, '--nsTo', `${database}.${prefix}*`];
  return tool('mongorestore', target, [
    ...names,
    ...(prefix === '' ? ['--drop'] : beside),
    ...['--stopOnError', '--bypassDocumentValidation'],
  ]);
}

/** @param script prints its answer to stdout, and errors to stderr */
export function mongosh({ input }: DatabaseTarget, script: string, environment: Command['environment'] = {}): Command {
  return {
    command: ['mongosh', '--quiet', '--norc', 'mongodb://127.0.0.1:27017/admin', '--eval', script],
    environment: {
      PANEL_USER: input.user,
      PANEL_DATABASE: input.database,
      PANEL_PASSWORD: [secret(PASSWORD)],
      ...environment,
    },
  };
}
