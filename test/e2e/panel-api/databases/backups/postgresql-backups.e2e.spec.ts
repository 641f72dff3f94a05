import { createHash, randomUUID } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { aCustomer, aKey } from '../../../../support/builders/a-panel-user.js';
import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { engineJson, engineRequest } from '../../../../support/docker/engine-http.js';
import { eventually } from '../../../../support/docker/eventually.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

const HOST = ['-h', '127.0.0.1', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];
const PASSWORD = 'pg-backup-canary-1f2e';

describeWithDatabases('Backups of PostgreSQL', () => {
  let backups: BackupBed;
  let id: string;
  let panelDatabase: pg.Client;

  const sql = async (text: string, serviceId = id) => {
    const environment = { PGPASSWORD: await backups.passwordOf(serviceId) };
    return backups.bed.run(serviceId, ['psql', ...HOST, '-U', 'shop', '-d', 'shop', '-c', text], environment);
  };
  const digest = (serviceId = id) =>
    sql("select md5(string_agg(o::text, '|' order by id)) || ' ' || count(*) from sales.orders o", serviceId);
  const fileOf = ({ id: backupId }: { id: string }) => path.join(backups.folder, 'services', id, `${backupId}.age`);
  const restore = (body: object, serviceId = id) => backups.admin.post(`/api/v1/services/${serviceId}/restore`, body);
  const restored = (restoreId: string) => backups.restored(restoreId);

  beforeAll(async () => {
    backups = await BackupBed.start();
    panelDatabase = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await panelDatabase.connect();
    id = await backups.deployPostgresql('Shop database', { DB_PASSWORD: PASSWORD });
    await sql(`create schema sales;
      create type sales.state as enum ('new', 'paid');
      create table sales.orders (id bigint generated always as identity primary key, state sales.state not null,
        note text, placed_at timestamptz not null default now());
      create index on sales.orders (placed_at);
      create table "odd ""name" (a int);
      insert into "odd ""name" values (1), (2), (3);
      insert into sales.orders (state, note) select 'new', repeat('x', g % 50) from generate_series(1, 20000) g;
      create view sales.paid as select * from sales.orders where state = 'paid';`);
  }, BED_START_MS);

  afterAll(async () => {
    await panelDatabase?.end();
    await backups?.close();
  });

  it('dumps, encrypts, stores and verifies, and reports what it found', async () => {
    const record = await backups.backUp(id);
    expect(record).toMatchObject({
      serviceId: id,
      kind: 'dump',
      trigger: 'manual',
      status: 'succeeded',
      errorMessage: null,
      notes: [],
      expiresAt: null,
      verification: { status: 'verified', errorMessage: null, rows: 20_003, compared: 'contents' },
    });
    expect(record.databaseVersion).toMatch(/^16\./);
    expect(record.verification.objects).toBeGreaterThan(5);
    expect(record.verification.durationSeconds).toBeGreaterThan(0);
    expect(record.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(backups.stored()).toEqual([`services/${id}/${record.id}.age`]);
    expect(await backups.trials()).toEqual([]);
    const list = await backups.admin.get(`/api/v1/services/${id}/backups?status=succeeded`);
    expect(list.body).toMatchObject({ data: [record], pagination: { page: 1, total: 1 } });
    const told = await panelDatabase.query<{ status: string; verification: string | null }>(
      `select data ->> 'status' as status, data -> 'verification' ->> 'status' as verification from services.feed
        where type = 'backup.status' and service_id = $1 order by seq`,
      [id],
    );
    expect(told.rows.map(({ status, verification }) => `${status} ${verification}`)).toEqual([
      ...['queued null', 'running null', 'succeeded pending', 'succeeded running', 'succeeded verified'],
    ]);
  }, 180_000);

  it('sends the decrypted dump, or the stored object with its hash, and records both in the audit log', async () => {
    const [record] = (await backups.admin.get(`/api/v1/services/${id}/backups`)).body.data;
    const url = `/api/v1/backups/${record.id}/download`;
    const clear = await backups.fetch(url);
    expect(clear.status).toBe(200);
    expect(
      Buffer.from(await clear.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('PGDMP');
    const sealed = await backups.fetch(`${url}?sealed=true`);
    const bytes = Buffer.from(await sealed.arrayBuffer());
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(record.sha256);
    expect([sealed.headers.get('x-content-sha256'), bytes.length]).toEqual([record.sha256, record.sizeBytes]);
    expect((await backups.admin.get(`${url}?sealed=perhaps`)).status).toBe(422);
    const { body } = await backups.admin.get('/api/v1/audit?action=backup.downloaded');
    expect(body.data).toHaveLength(2);
  }, 60_000);

  it('hides backup and service from another organisation', async () => {
    const [record] = (await backups.admin.get(`/api/v1/services/${id}/backups`)).body.data;
    const { app } = backups.bed.panel.api;
    const stranger = backups.bed.panel.api.as(await aKey(app, (await aCustomer(app)).user));
    for (const url of [
      `/backups/${record.id}`,
      `/backups/${record.id}/download`,
      `/services/${id}/backups`,
      `/services/${id}/restores`,
    ])
      expect([url, (await stranger.get(`/api/v1/portal${url}`)).status]).toEqual([url, 404]);
    const asked = { backupId: record.id, into: 'new' };
    expect((await stranger.post(`/api/v1/portal/services/${id}/restore`, asked)).status).toBe(404);
    expect((await stranger.delete(`/api/v1/portal/backups/${record.id}`)).status).toBe(404);
  });

  it('restores into a new service with new credentials', async () => {
    const [record] = (await backups.admin.get(`/api/v1/services/${id}/backups`)).body.data;
    const before = await digest();
    await sql("delete from sales.orders where id <= 10; insert into sales.orders (state) values ('paid')");
    const { status, body } = await restore({ backupId: record.id, name: 'Shop of then' });
    expect([status, body.status, body.into]).toEqual([202, 'queued', 'new']);
    // No worker can claim it while its row is locked.
    await panelDatabase.query('begin; select from backups.restores for update');
    const copy = body.serviceId as string;
    const of = `/api/v1/services/${copy}`;
    for (const path of ['credentials/reveal', 'credentials/rotate', 'backups'])
      expect([path, (await backups.admin.post(`${of}/${path}`)).body.error.code]).toEqual([
        path,
        'restore_in_progress',
      ]);
    const early = await eventually(
      async () => (await backups.admin.get(of)).body as { status: string; statusReason: { code: string } | null },
      ({ statusReason }) => statusReason !== null,
      60_000,
    );
    expect([early.status, early.statusReason?.code]).toEqual(['starting', 'restoring']);
    const found = (status: string) => backups.admin.get(`/api/v1/services?status=${status}&search=then`);
    expect([(await found('starting')).body.pagination.total, (await found('running')).body.pagination.total]).toEqual([
      1, 0,
    ]);
    await panelDatabase.query('commit');
    expect(await restored(body.restoreId as string)).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect((await backups.admin.get(of)).body).toMatchObject({ status: 'running', statusReason: null });
    expect(await digest(copy)).toBe(before);
    expect(await digest()).not.toBe(before);
    const credentials = await backups.admin.post(`${of}/credentials/reveal`);
    expect(credentials.body).toMatchObject({ database: 'shop', username: 'shop' });
    expect(credentials.body.password).not.toBe(PASSWORD);
    expect((await backups.admin.get(`${of}/deployments`)).body.data[0].trigger).toBe('restore');
    // Both services publish an event: the one whose backup it was, and the one that has the data now.
    for (const service of [id, copy]) {
      const { body: list } = await backups.admin.get(`/api/v1/services/${service}/restores`);
      const known = { restoreId: body.restoreId, serviceId: copy, status: 'succeeded' };
      expect([list.data, list.pagination.total]).toEqual([[expect.objectContaining(known)], 1]);
    }
    await backups.admin.delete(of);
  }, 180_000);

  it('restores into the same service after taking another backup, if its name is confirmed', async () => {
    const first = (await backups.admin.get(`/api/v1/services/${id}/backups`)).body.data.at(-1);
    const before = await digest();
    const refused = await restore({ backupId: first.id, into: 'same', confirm: 'shop' });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([422, '/confirm']);
    const { body } = await restore({ backupId: first.id, into: 'same', confirm: 'Shop database' });
    expect(await restored(body.restoreId as string)).toMatchObject({ status: 'succeeded', serviceId: id });
    expect(await sql('select count(*) from sales.orders')).toBe('20000');
    const safety = await backups.settled(body.preRestoreBackupId as string);
    expect(safety).toMatchObject({ trigger: 'pre-restore', status: 'succeeded', verification: { rows: 19_994 } });
    const back = await restore({ backupId: safety.id, into: 'same', confirm: 'Shop database' });
    expect(await restored(back.body.restoreId as string)).toMatchObject({ status: 'succeeded' });
    expect(await digest()).toBe(before);
    await backups.settled(back.body.preRestoreBackupId as string);
  }, 240_000);

  it('marks a backup whose stored file is truncated as failed, and leaves the data unchanged', async () => {
    const record = await backups.backUp(id);
    const before = await digest();
    await truncate(fileOf(record), record.sizeBytes - 1000);
    const asked = await restore({ backupId: record.id, into: 'same', confirm: 'Shop database' });
    const failed = await restored(asked.body.restoreId as string);
    expect(failed.status).toBe('failed');
    expect(failed.errorMessage).toMatch(/store|decrypt|cut|end/i);
    expect(await digest()).toBe(before);
    await backups.settled(asked.body.preRestoreBackupId as string);
    expect((await backups.admin.post(`/api/v1/backups/${record.id}/verify`)).status).toBe(409);
    expect(await backups.settled(record.id as string)).toMatchObject({
      status: 'failed',
      errorMessage: 'What lies in the store is not what was put there.',
      verification: { status: 'failed' },
    });
    expect((await restore({ backupId: record.id })).status).toBe(409);
    expect((await backups.fetch(`/api/v1/backups/${record.id}/download`)).status).toBe(409);
  }, 240_000);

  it('makes one backup at a time, and fails one whose container is killed meanwhile', async () => {
    const stored = backups.stored();
    const lock = sql('begin; lock table sales.orders in access exclusive mode; select pg_sleep(60)').catch(() => null);
    await backups.until(
      () => sql("select count(*) from pg_locks where mode = 'AccessExclusiveLock' and relation is not null"),
      (held) => held !== '0',
    );
    const asked = await backups.admin.post(`/api/v1/services/${id}/backups`);
    const running = () => backups.admin.get(`/api/v1/backups/${asked.body.backupId}`);
    await backups.until(running, ({ body }) => body.status === 'running');
    const second = await backups.admin.post(`/api/v1/services/${id}/backups`);
    expect([second.status, second.body.error.code]).toEqual([409, 'backup_in_progress']);
    await engineRequest('POST', `/containers/${(await backups.bed.container(id)).Id}/kill`);
    const record = await backups.settled(asked.body.backupId as string);
    expect(record).toMatchObject({ status: 'failed', sizeBytes: null, verification: null });
    expect(record.errorMessage).not.toBe('');
    expect(backups.stored()).toEqual(stored);
    await lock;
    await backups.bed.panel.until(id, 'running');
  }, 180_000);

  it('fails the backup of a worker that died, and repeats its verification', async () => {
    const [record] = (await backups.admin.get(`/api/v1/services/${id}/backups?status=succeeded`)).body.data;
    const dead = randomUUID();
    await panelDatabase.query(
      `insert into backups.backups (id, service_id, kind, trigger, status, origin, store_key, created_at, started_at,
         worker, leased_until)
       select $2, service_id, kind, trigger, 'running', origin, store_key || '.dead', created_at, created_at, $2,
              now() - interval '1 second' from backups.backups where id = $1`,
      [record.id, dead],
    );
    await panelDatabase.query(
      `update backups.backups set worker = $2, leased_until = now() - interval '1 second',
         verification = verification || '{"status": "running", "attempts": 1}' where id = $1`,
      [record.id, dead],
    );
    await engineJson('POST', '/containers/create', {
      Image: (await backups.bed.inspect((await backups.bed.container(id)).Id)).Image,
      Labels: { 'panel.scratch': 'backup-proof', 'panel.instance': `e2e-${process.pid}` },
    });
    expect(await backups.settled(dead)).toMatchObject({ status: 'failed' });
    expect((await backups.settled(record.id as string)).verification.status).not.toBe('running');
    expect(await backups.trials()).toEqual([]);
  }, 180_000);

  it('makes scheduled backups, and makes up for missed runs with one backup', async () => {
    const url = `/api/v1/services/${id}/backup-policy`;
    const policy = { keepDaily: 7, keepWeekly: 4, keepMonthly: 6, verify: 'always', pitr: false };
    expect((await backups.admin.get(url)).body).toEqual({ ...policy, schedule: null, nextRunAt: null });
    for (const schedule of ['0 0 31 2 *', '* * *', '@daily', '']) {
      const { status, body } = await backups.admin.call('PUT', url, { body: { ...policy, schedule } });
      expect([schedule, status, body.error.details[0].path]).toEqual([schedule, 422, '/schedule']);
    }
    const never = { ...policy, schedule: '30 2 1 1 *', verify: 'never' };
    const set = await backups.admin.call('PUT', url, { body: never });
    expect([set.status, set.body]).toEqual([200, { ...never, nextRunAt: expect.stringMatching(/-01-01T02:30:00/) }]);
    await panelDatabase.query("update backups.policies set next_run_at = now() - interval '1000 days'");
    const scheduled = async () =>
      (await backups.admin.get(`/api/v1/services/${id}/backups`)).body.data.filter(
        ({ trigger }: { trigger: string }) => trigger === 'schedule',
      );
    await backups.until(scheduled, (found) => found.length > 0 && found[0].status === 'succeeded');
    expect(await scheduled()).toHaveLength(1);
    const [made] = await scheduled();
    expect(made).toMatchObject({ status: 'succeeded', verification: { status: 'skipped', verifiedAt: null } });
    expect(made.verification.errorMessage).toMatch(/policy/);
    expect(made.expiresAt).not.toBeNull();
    expect((await backups.admin.get(url)).body.nextRunAt).toBe(set.body.nextRunAt);
    await panelDatabase.query('update backups.backups set expires_at = now() where id = $1', [made.id]);
    const read = async () => (await backups.admin.get(`/api/v1/backups/${made.id}`)).body;
    expect(await backups.until(read, ({ status }) => status === 'expired')).toMatchObject({ status: 'expired' });
    await backups.until(
      () => Promise.resolve(backups.stored()),
      (files) => !files.some((file) => file.includes(made.id)),
    );
    await backups.admin.call('PUT', url, { body: { ...policy, schedule: null } });
  }, 120_000);

  it('removes a backup from the store when it is deleted, and clones from the newest verified one', async () => {
    const record = await backups.backUp(id);
    const clone = await backups.admin.post(`/api/v1/services/${id}/clone`, { name: 'Shop copy' });
    expect([clone.status, clone.body.backupId]).toEqual([202, record.id]);
    expect(await restored(clone.body.restoreId as string)).toMatchObject({ status: 'succeeded' });
    expect(await digest(clone.body.serviceId as string)).toBe(await digest());
    await backups.admin.delete(`/api/v1/services/${clone.body.serviceId}`);
    expect((await backups.admin.delete(`/api/v1/backups/${record.id}`)).status).toBe(204);
    expect(backups.stored()).not.toContain(`services/${id}/${record.id}.age`);
    expect((await backups.admin.get(`/api/v1/backups/${record.id}`)).body.status).toBe('expired');
    expect((await restore({ backupId: record.id })).status).toBe(409);
  }, 180_000);
});
