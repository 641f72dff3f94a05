import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeDatabaseImage } from '../../../test/support/databases/database-images.js';
import { missingTool } from '../../../test/support/databases/database-root.js';
import { forgetImages, pushImage } from '../../../test/support/docker/images.js';
import { startRegistry } from '../../../test/support/docker/registry.js';
import type { Panel } from '../../lib/panel.js';
import type { Stage } from '../../lib/stage.js';

export const SOCKET = '/var/run/docker.sock';
const IMAGE = 'library/postgres:16-bookworm';
/** Average size of a row on disk, including the server's overhead but not indexes. */
const ROW_BYTES = 190;
const LOOK_EVERY_MS = 50;
const MAX_OUTPUT = 64 * 2 ** 20;

export const DATABASE = 'shop';
/** Limits of the database, which both sides of the comparison use. */
export const LIMITS = { cpuCores: 2, memoryMb: 1024, diskMb: 20_480 };

const run = promisify(execFile);

/** A PostgreSQL service from its template, filled with rows, whose backups are stored in a folder. */
export class DatabaseBed {
  private constructor(
    readonly panel: Panel,
    /** The folder where the panel stores backups. */
    readonly store: string,
    /** A folder on the same disk for the backups made by hand. */
    readonly folder: string,
    readonly serviceId: string,
    readonly containerId: string,
    readonly password: string,
  ) {}

  /** @param megabytes size of the rows on disk */
  static async use<T>(stage: Stage, megabytes: number, work: (bed: DatabaseBed) => Promise<T>): Promise<T> {
    const registry = await startRegistry();
    const image = `${registry.host}/${IMAGE}`;
    const folder = await mkdtemp(path.join(stage.options.folder, 'backups-'));
    const store = path.join(folder, 'store');
    try {
      await makeDatabaseImage('postgres', image);
      await pushImage(image);
      const settings = { DOCKER_HOST: `unix://${SOCKET}`, TEMPLATE_REGISTRY: registry.host, BACKUP_DIR: store };
      const panel = await stage.startPanel({ withWorker: true, settings });
      try {
        const serviceId = await deployed(panel);
        try {
          const filters = ['--filter', `label=panel.service=${serviceId}`];
          const containerId = (await run('docker', ['ps', '--quiet', ...filters])).stdout.trim();
          const { body } = await panel.call('POST', `/services/${serviceId}/credentials/reveal`);
          const bed = new DatabaseBed(panel, store, folder, serviceId, containerId, body.password as string);
          await bed.fill(megabytes);
          return await work(bed);
        } finally {
          await panel.remove(serviceId);
        }
      } finally {
        await panel.stop();
      }
    } finally {
      await forgetImages(registry.host);
      await registry.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Runs a bash command with the password in PGPASSWORD. @returns its output */
  async shell(command: string): Promise<string> {
    const env = { PATH: process.env.PATH, PGPASSWORD: this.password };
    const script = `set -euo pipefail; ${command}`;
    return (await run('bash', ['-c', script], { env, maxBuffer: MAX_OUTPUT })).stdout;
  }

  /** Command line of a tool in the container, which connects to the database. @param container default: the service's */
  inContainer(tool: string, container = this.containerId): string {
    return `docker exec -i -e PGPASSWORD ${container} ${tool} -h 127.0.0.1 -U ${DATABASE} -d ${DATABASE}`;
  }

  /** Queues a backup. @returns its id */
  async askForBackup(): Promise<string> {
    const { status, body } = await this.panel.call('POST', `/services/${this.serviceId}/backups`);
    if (status !== 202) throw new Error(`refused: ${JSON.stringify(body)}`);
    return body.backupId as string;
  }

  /** Polls the backup until it is as wanted. @throws when the backup or its verification has failed */
  async until(backupId: string, isWanted: (record: any) => boolean): Promise<void> {
    for (;;) {
      const { body } = await this.panel.call('GET', `/backups/${backupId}`);
      if (isWanted(body)) return;
      if (body.errorMessage || body.verification?.errorMessage) throw new Error(`failed: ${JSON.stringify(body)}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  untilSucceeded(backupId: string): Promise<void> {
    return this.until(backupId, ({ status }) => status === 'succeeded');
  }

  /** Waits for the file under its final name, which it gets after it has been read back. */
  async untilStored(backupId: string): Promise<void> {
    const file = path.join(this.store, 'services', this.serviceId, `${backupId}.age`);
    while (!existsSync(file)) await pause(LOOK_EVERY_MS);
  }

  /** Makes a backup and removes it again. */
  async backUp(): Promise<void> {
    const id = await this.askForBackup();
    await this.untilSucceeded(id);
    await this.forget(id);
  }

  /** Lets the panel verify the backup by a trial restore, and waits for the result. */
  async verify(backupId: string): Promise<void> {
    const { status, body } = await this.panel.call('POST', `/backups/${backupId}/verify`);
    if (status !== 202) throw new Error(`refused: ${JSON.stringify(body)}`);
    await this.until(backupId, ({ verification }) => verification?.status === 'verified');
  }

  async forget(backupId: string): Promise<void> {
    const { status } = await this.panel.call('DELETE', `/backups/${backupId}`);
    if (status !== 204) throw new Error(`the backup was not removed: ${status}`);
  }

  private async fill(megabytes: number): Promise<void> {
    const rows = Math.ceil((megabytes * 1e6) / ROW_BYTES);
    const sql = `create table orders (id bigint primary key, customer_id int not null, placed_at timestamptz not null,
        amount numeric(10, 2) not null, note text not null);
      insert into orders select n, n % 9973, '2026-01-01'::timestamptz + n * interval '7 seconds', (n * 37 % 100000) / 100.0,
        md5(n::text) || ' delivered to the front door, ' || md5((n * 7)::text) from generate_series(1, ${rows}) n;
      create index on orders (customer_id);`;
    await this.shell(`${this.inContainer('psql')} -q -v ON_ERROR_STOP=1 -c "${sql}" -c 'vacuum analyze' -c checkpoint`);
  }
}

/** Deploys the database, with a policy that verifies backups only on request. @returns the id of the service */
async function deployed(panel: Panel): Promise<string> {
  const { body: all } = await panel.call('GET', '/templates');
  const { id } = (all.data as { id: string; slug: string }[]).find(({ slug }) => slug === 'postgresql')!;
  const { status, body } = await panel.call('POST', `/templates/${id}/deploy`, {
    name: `bench-${randomBytes(6).toString('hex')}`,
    variables: { SERVICE_NAME: 'shop-db', DB_NAME: DATABASE, DB_USER: DATABASE },
    resourceLimits: LIMITS,
  });
  if (status !== 202) throw new Error(`refused: ${JSON.stringify(body)}`);
  const serviceId = body.serviceId as string;
  await panel.until(serviceId, 'running');
  const policy = { schedule: null, keepDaily: 1, keepWeekly: 0, keepMonthly: 0, verify: 'never', pitr: false };
  const set = await panel.call('PUT', `/services/${serviceId}/backup-policy`, policy);
  if (set.status !== 200) throw new Error(`no policy: ${JSON.stringify(set.body)}`);
  return serviceId;
}

export function unfit(): string | null {
  if (!existsSync(SOCKET)) return `no Docker engine at ${SOCKET}`;
  const programs = [
    ['docker', 'docker.io'],
    ['age', 'age'],
    ['docker-registry', 'docker-registry'],
  ];
  const missing = programs.find(([name = '']) => spawnSync('which', [name], { stdio: 'ignore' }).status !== 0);
  return missing ? `no ${missing[0]} (Debian: ${missing[1]})` : missingTool();
}
