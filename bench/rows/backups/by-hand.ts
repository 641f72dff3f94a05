import { spawnSync } from 'node:child_process';
import path from 'node:path';
import Docker from 'dockerode';
import { DATABASE, LIMITS, SOCKET, type DatabaseBed } from './database-bed.js';

/** The same as for the panel's trial servers: their data are discarded, so they need not survive a crash. */
const TRIAL_ARGUMENTS = ['fsync=off', 'full_page_writes=off', 'archive_mode=off'].flatMap((each) => ['-c', each]);
const TRIAL_CPUS = 1;
const READY_SECONDS = 120;

/** Backup and restore as an administrator would do it in a shell on the engine's host. */
export class ByHand {
  private readonly identity: string;
  private readonly file: string;

  constructor(private readonly bed: DatabaseBed) {
    this.identity = path.join(bed.folder, 'key.txt');
    this.file = path.join(bed.folder, 'by-hand.age');
    const { status, stderr } = spawnSync('age-keygen', ['-o', this.identity], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`age-keygen: ${stderr}`);
  }

  async dump(): Promise<void> {
    const dump = this.bed.inContainer('pg_dump');
    const recipient = `$(age-keygen -y ${this.identity})`;
    await this.bed.shell(`${dump} -Fc --no-owner --no-acl | age -r ${recipient} > ${this.file}`);
  }

  /** Restores into a new server of the same image, with the limits and settings of a trial server. */
  async restore(): Promise<void> {
    const server = await this.startServer();
    try {
      const open = `age -d -i ${this.identity} ${this.file}`;
      const restore = this.bed.inContainer('pg_restore', server.id);
      await this.bed.shell(
        `until ${this.bed.inContainer('psql', server.id)} -c 'select 1' > ${this.bed.folder}/psql.log 2>&1
         do (( SECONDS < ${READY_SECONDS} )); sleep 0.1; done
         ${open} | ${restore} --exit-on-error --no-owner --no-acl`,
      );
    } finally {
      await server.remove({ force: true, v: true });
    }
  }

  private async startServer(): Promise<Docker.Container> {
    const engine = new Docker({ socketPath: SOCKET });
    const original = await engine.getContainer(this.bed.containerId).inspect();
    const bytes = LIMITS.memoryMb * 2 ** 20;
    const server = await engine.createContainer({
      Image: original.Image,
      Cmd: [...original.Config.Cmd, ...TRIAL_ARGUMENTS],
      Env: [`POSTGRES_DB=${DATABASE}`, `POSTGRES_USER=${DATABASE}`, `POSTGRES_PASSWORD=${this.bed.password}`],
      HostConfig: {
        NetworkMode: 'none',
        NanoCpus: TRIAL_CPUS * 1e9,
        Memory: bytes,
        MemorySwap: bytes,
        ShmSize: original.HostConfig.ShmSize,
      },
    });
    await server.start();
    return server;
  }
}
