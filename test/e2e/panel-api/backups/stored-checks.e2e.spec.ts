import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { Registry } from 'prom-client';
import { BackupAlarms, StoredBackupChecks } from '#libs/backups';
import { BackupRepository } from '../../../../libs/backups/src/application/ports/backup-repository.js';
import { BackupFigures } from '../../../../libs/backups/src/infrastructure/backup-figures.js';
import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import { SECRETS_KEY, startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';
import { staffCli } from '../../../support/processes/staff-cli.js';

describe('the daily check of stored backups', () => {
  let folder: string;
  let api: RunningPanelApi;
  let database: pg.Client;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'stored-checks-'));
    api = await startPanelApi({ settings: { BACKUP_DIR: folder } });
    database = new pg.Client(api.database.url);
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** @param bytes size of the stored file; null if it is missing */
  async function aBackup(bytes: number | null, serviceId: string = randomUUID(), kind = 'dump'): Promise<string> {
    const id = randomUUID();
    const key = `services/${serviceId}/${id}.age`;
    if (bytes !== null) {
      mkdirSync(path.join(folder, path.dirname(key)), { recursive: true });
      writeFileSync(path.join(folder, key), Buffer.alloc(bytes));
    }
    const origin = { serviceName: 'Shop', template: 'postgresql', hostName: 'db', database: 'shop', user: 'shop' };
    await database.query(
      `insert into backups.backups (id, service_id, kind, trigger, status, origin, store_key, size_bytes, sha256,
         verification, created_at, finished_at)
       values ($1, $2, $5, 'manual', 'succeeded', $3, $4, 100, repeat('0', 64),
         jsonb_build_object('status', 'verified', 'attempts', 1, 'verifiedAt', now() - interval '90 s'), now(), now())`,
      [id, serviceId, JSON.stringify(origin), key, kind],
    );
    return id;
  }

  const states = async () => {
    const { rows } = await database.query<{ id: string; state: string }>(
      `select id, concat_ws(' ', status, verification ->> 'status', error_message) as state from backups.backups`,
    );
    return new Map(rows.map(({ id, state }) => [id, state]));
  };

  it('marks missing files and files of another size as failed, reports them, and leaves the others', async () => {
    const [whole, cut, missing] = [await aBackup(100), await aBackup(99), await aBackup(null)];
    const checks = api.app.get(StoredBackupChecks, { strict: false });
    expect(await checks.destination()).toBeNull();
    expect(await checks.kept()).toBe(2);
    const found = await states();
    expect(found.get(whole)).toBe('succeeded verified');
    expect(found.get(cut)).toBe('failed failed What lies in the store is not what was put there.');
    expect(found.get(missing)).toBe('failed failed The backup is no longer in the store.');
    const { rows } = await database.query(`select 1 from services.feed where type = 'backup.status'`);
    expect(rows).toHaveLength(2);
    expect(await checks.kept()).toBe(0);
  });

  it('raises an alarm in the service and as an event, until a newer backup is verified', async () => {
    const admin = api.as(await anAdminKey(api.app));
    const { body } = await admin.get('/api/v1/templates');
    const { id } = (body.data as { slug: string; id: string }[]).find(({ slug }) => slug === 'postgresql')!;
    const { serviceId } = (await admin.post(`/api/v1/templates/${id}/deploy`, { name: 'Watched' })).body as {
      serviceId: string;
    };
    const alarms = api.app.get(BackupAlarms, { strict: false });
    const reason = async () => (await admin.get(`/api/v1/services/${serviceId}`)).body.statusReason as object | null;
    const told = async () => {
      const { rows } = await database.query<{ code: string | null }>(
        `select data #>> '{alarm,code}' as code from services.feed
          where type = 'backup.status' and service_id = $1 and data ? 'alarm' order by seq`,
        [serviceId],
      );
      return rows.map(({ code }) => code);
    };

    await aBackup(null, serviceId);
    await alarms.review();
    expect([await reason(), await told()]).toEqual([null, []]);

    await api.app.get(StoredBackupChecks, { strict: false }).kept();
    for (let twice = 0; twice < 2; twice++) await alarms.review();
    expect(await reason()).toEqual({
      code: 'backup_lost',
      message: 'A stored backup is missing from the destination, or was changed there, and there is no newer one.',
      deploymentId: null,
      at: expect.any(String),
    });
    expect(await told()).toEqual(['backup_lost']);

    await aBackup(100, serviceId);
    await alarms.review();
    expect([await reason(), await told()]).toEqual([null, ['backup_lost', null]]);
    const registry = new Registry();
    new BackupFigures(registry, api.app.get(BackupRepository, { strict: false }));
    const ages = (await registry.metrics()).split('\n').filter((line) => line.startsWith('backup_newest'));
    // The other services of this file do not exist.
    expect(ages).toEqual([
      expect.stringMatching(
        new RegExp(`^backup_newest_verified_age_seconds\\{service="${serviceId}"\\} (9\\d|1\\d\\d)(\\.|$)`),
      ),
    ]);
  });

  it('has the staff CLI verify the newest dump, not a newer base backup, and list both', async () => {
    const serviceId = randomUUID();
    const dump = await aBackup(100, serviceId);
    const base = await aBackup(100, serviceId, 'base');
    const settings = {
      DATABASE_URL: api.database.url,
      SECRETS_KEYS: SECRETS_KEY,
      BACKUP_DIR: folder,
      DOCKER_HOST: 'unix:///nobody/listens',
      PANEL_INSTANCE: 'stored-checks',
    };
    const cli = (name: string) => staffCli(settings, ['backups', name, '--service', serviceId, '--json']);
    const listed = (await cli('list')).json as { id: string; kind: string }[];
    expect(listed.map(({ id, kind }) => [id, kind])).toEqual([
      [base, 'base'],
      [dump, 'dump'],
    ]);
    expect((await cli('verify')).json).toEqual({ backupId: dump, status: 'pending' });
  });

  it('reports why the destination does not work, and then marks no backup as lost', async () => {
    const id = await aBackup(100);
    await rm(folder, { recursive: true });
    writeFileSync(folder, '');
    const checks = api.app.get(StoredBackupChecks, { strict: false });
    expect(await checks.destination()).toBe('a part of the path of the backup directory is a file');
    await expect(checks.kept()).rejects.toThrow('a part of the path of the backup directory is a file');
    expect((await states()).get(id)).toBe('succeeded verified');
  });
});
