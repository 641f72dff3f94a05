import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PATIENCE } from '../../../tools/lib/tests/patience.mjs';
import { anAdminKey } from '../builders/a-panel-user.js';
import { lookAgain } from '../look-again.js';
import { engineHost, engineJson } from '../docker/engine-http.js';
import { SECRETS_KEY } from '../panel-api.js';
import { TemplateBed } from './template-bed.js';

const MAX_WAIT_MS = 120_000 * PATIENCE;

/** A panel with a worker, real database servers, and a folder for their backups. */
export class BackupBed {
  private readonly passwords = new Map<string, string>();

  private constructor(
    readonly bed: TemplateBed,
    readonly folder: string,
    private readonly key: string,
  ) {}

  static start(settings: Record<string, string> = {}): Promise<BackupBed> {
    return BackupBed.#open(settings, (all) => TemplateBed.start(all));
  }

  /** For tests with a stub instead of a database server. It does not wait for other tests. */
  static startForStub(settings: Record<string, string> = {}): Promise<BackupBed> {
    return BackupBed.#open(settings, (all) => TemplateBed.startForStub(all));
  }

  static async #open(
    settings: Record<string, string>,
    start: (settings: Record<string, string>) => Promise<TemplateBed>,
  ): Promise<BackupBed> {
    const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-backups-'));
    const bed = await start({ BACKUP_DIR: folder, ...settings });
    return new BackupBed(bed, folder, await anAdminKey(bed.panel.api.app));
  }

  /** Deploys PostgreSQL from its template and waits until it is running. @returns the id of the service */
  async deployPostgresql(name: string, more: Record<string, string> = {}): Promise<string> {
    await this.bed.publish('postgres', 'library/postgres:16-bookworm');
    const variables = { SERVICE_NAME: 'shop-db', DB_NAME: 'shop', DB_USER: 'shop', ...more };
    const id = await this.bed.deploy('postgresql', { name, variables });
    await this.bed.untilDone(id);
    return id;
  }

  get admin() {
    return this.bed.panel.admin;
  }

  /** The password of a service's database. It is cached, because only ten requests a minute are allowed. */
  async passwordOf(serviceId: string): Promise<string> {
    const known = this.passwords.get(serviceId);
    if (known !== undefined) return known;
    const { body, status, text } = await this.admin.post(`/api/v1/services/${serviceId}/credentials/reveal`);
    if (status !== 200) throw new Error(text);
    const password = (body.apiKey ?? body.password) as string;
    this.passwords.set(serviceId, password);
    return password;
  }

  /** Sends a request as an administrator and returns the response unread. */
  fetch(url: string): Promise<Response> {
    return fetch(`${this.bed.panel.api.url}${url}`, { headers: { authorization: `Bearer ${this.key}` } });
  }

  /** The decrypted dump. */
  async download(backupId: string): Promise<Buffer> {
    return Buffer.from(await (await this.fetch(`/api/v1/backups/${backupId}/download`)).arrayBuffer());
  }

  /** Waits until the restore has ended or has one of the statuses. @returns its record */
  restored(restoreId: string, ...statuses: string[]): Promise<any> {
    return this.until(
      async () => (await this.admin.get(`/api/v1/restores/${restoreId}`)).body,
      ({ status }) => ['succeeded', 'failed', ...statuses].includes(status as string),
    );
  }

  /** Requests a backup and waits until it and its verification have ended. @returns its record */
  async backUp(serviceId: string): Promise<any> {
    const asked = await this.admin.post(`/api/v1/services/${serviceId}/backups`);
    if (asked.status !== 202) throw new Error(asked.text);
    return this.settled(asked.body.backupId as string);
  }

  /** Waits until the backup and its verification have ended. @returns its record */
  settled(backupId: string): Promise<any> {
    return this.until(
      async () => (await this.admin.get(`/api/v1/backups/${backupId}`)).body,
      ({ status, verification }) =>
        !['queued', 'running'].includes(status as string) &&
        !['pending', 'running'].includes((verification?.status ?? '') as string),
    );
  }

  /** Polls until the answer is as wanted. */
  async until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
    const since = Date.now();
    for (;;) {
      const answer = await ask();
      if (isWanted(answer)) return answer;
      if (Date.now() - since > MAX_WAIT_MS) throw new Error(`not as wanted; at last: ${JSON.stringify(answer)}`);
      await lookAgain(Date.now() - since);
    }
  }

  /** Environment for the staff CLI. */
  settings(): Record<string, string> {
    return {
      DATABASE_URL: this.bed.panel.api.database.url,
      SECRETS_KEYS: SECRETS_KEY,
      DOCKER_HOST: engineHost(),
      PANEL_INSTANCE: `e2e-${process.pid}`,
      BACKUP_DIR: this.folder,
    };
  }

  /** The keys of all files in the store. */
  stored(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)));
  }

  /** Ids of the existing scratch containers. */
  async trials(): Promise<readonly string[]> {
    const filters = encodeURIComponent(
      JSON.stringify({ label: [`panel.scratch`, `panel.instance=e2e-${process.pid}`] }),
    );
    const found = await engineJson<{ Id: string }[]>('GET', `/containers/json?all=1&filters=${filters}`);
    return found.map(({ Id }) => Id);
  }

  async close(): Promise<void> {
    await this.bed.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
