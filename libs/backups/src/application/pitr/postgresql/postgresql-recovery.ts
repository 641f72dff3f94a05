import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { PASSWORD, secret } from '#libs/templates';
import { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { whileThereIsRoom } from '../../programs/disk-room.js';

const DATA = '/var/lib/postgresql/data';
const FILES = `${DATA}/panel_recovery`;
const LOG = `${DATA}/panel_log`;
const REPLACED = `${DATA}/panel_replaced`;
const CURRENT = `${DATA}/pgdata`;
const AS_SERVER = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'];

/**
 * Plays the log in a server that nobody else can reach: it has no network and accepts no connections before it has
 * reached the moment. Its settings are on the command line only, so that none of them remains in its files.
 */
const RECOVER = `set -eu
cd ${FILES}
chmod 700 .
rm -f postmaster.pid postmaster.opts standby.signal
if [ -f backup_manifest ] && command -v pg_verifybackup > /dev/null; then
  pg_verifybackup -n -q . > ${LOG}/verify.log 2>&1 || { head -n 1 ${LOG}/verify.log >&2; exit 1; }
fi
: > recovery.signal
printf 'local all all trust\\n' > ${LOG}/hba.conf
postgres -D ${FILES} -c config_file=${FILES}/postgresql.conf -c hba_file=${LOG}/hba.conf -c listen_addresses= \\
  -c unix_socket_directories=${LOG} -c port=5433 -c archive_mode=off -c hot_standby=off -c logging_collector=off \\
  -c shared_buffers=32MB -c restore_command='cp ${LOG}/%f "%p"' -c recovery_target_time="$TARGET" \\
  -c recovery_target_inclusive=on -c recovery_target_action=promote -c recovery_target_timeline=latest \\
  > ${LOG}/server.log 2>&1 &
server=$!
tell() { grep -E 'FATAL|PANIC|ERROR' ${LOG}/server.log | tail -n 1 >&2 || true; exit 1; }
ask() { psql -h ${LOG} -p 5433 -U "$PGUSER" -d "$PGDATABASE" -X -A -t -q -v ON_ERROR_STOP=1 "$@"; }
until [ "$(ask -c 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; do
  kill -0 $server 2>/dev/null || tell
  sleep 0.2
done
printf '%s\\n%s\\n' "$NEW" "$NEW" | ask -c "\\\\password $PGUSER" > /dev/null
ask -c 'checkpoint'
kill -INT $server
wait $server
`;

/** Recovers the files of a server next to those of the running one, and exchanges them at the end. */
@Injectable()
export class PostgresqlRecovery {
  constructor(private readonly programs: DatabasePrograms) {}

  /**
   * @param files a copy of all files, as a tar
   * @param log the segments, as a tar
   * @param until the moment up to which the log is played
   * @throws BackupFailed; the server's own files are unchanged then
   */
  async recover(
    target: DatabaseTarget,
    { files, log, until }: { readonly files: Readable; readonly log: () => Readable; readonly until: Date },
    signal: AbortSignal,
  ): Promise<void> {
    await this.shell(
      target,
      `rm -rf ${FILES} ${LOG} ${REPLACED} && mkdir -m 700 ${FILES} ${LOG} && chown postgres:postgres ${FILES} ${LOG}`,
      signal,
    );
    const { user, database } = target.input;
    const environment = {
      TARGET: `${until.toISOString().replace('T', ' ').replace('Z', '')}+00`,
      PGUSER: user,
      PGDATABASE: database,
      NEW: [secret(PASSWORD)],
    };
    await whileThereIsRoom(this.programs, target, DATA, signal, async (within) => {
      await this.unpack(target, FILES, files, within);
      await this.unpack(target, LOG, log(), within);
      await this.programs.text(target, { command: [...AS_SERVER, 'sh', '-c', RECOVER], environment }, within);
    });
    await this.takePlace(target, signal);
  }

  /**
   * Exchanges the files. A server that shuts down regularly writes its state to the path of its files, which would be
   * the new files by then. The old server is therefore ended at once, right after a checkpoint, so that none is due.
   */
  private async takePlace(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const { user, database } = target.input;
    const checkpoint = ['psql', '-h', '127.0.0.1', '-U', user, '-d', database, '-X', '-q', '-c', 'checkpoint'];
    const environment = { PGPASSWORD: [secret(PASSWORD)] };
    await this.programs.text(target, { command: checkpoint, environment }, signal);
    const swap = `mv ${CURRENT} ${REPLACED} && mv ${FILES} ${CURRENT} && kill -QUIT 1`;
    // The container ends with the server, and this program with it.
    await this.shell(target, swap, signal).catch(() => undefined);
    await target.restart(signal);
    await this.shell(target, `test -d ${REPLACED} && test ! -e ${FILES} && rm -rf ${REPLACED} ${LOG}`, signal);
  }

  private async unpack(target: DatabaseTarget, folder: string, tar: Readable, signal: AbortSignal): Promise<void> {
    const command = [...AS_SERVER, 'tar', '-x', '-f', '-', '-C', folder, '--no-same-owner'];
    await this.programs.feed(target, { command, environment: {} }, tar, signal);
  }

  private shell(target: DatabaseTarget, script: string, signal: AbortSignal): Promise<string> {
    return this.programs.text(target, { command: ['sh', '-c', script], environment: {} }, signal);
  }
}
