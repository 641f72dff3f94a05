import path from 'node:path';
import { giveOnlyHalf } from '../../../support/backups/half-stored.js';
import { KillableWorker } from '../../../support/backups/killable-worker.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { staffCli } from '../../../support/processes/staff-cli.js';
import { BackupBed } from '../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../support/services/template-bed.js';

const INTERRUPTED = /^The worker ended in the middle of the restore\. The data are whole/;

describeWithDatabases('Backups of MariaDB and Redis', () => {
  let backups: BackupBed;
  let worker: KillableWorker;

  const password = (serviceId: string) => backups.passwordOf(serviceId);
  const ask = async (serviceId: string, body: object): Promise<string> => {
    const asked = await backups.admin.post(`/api/v1/services/${serviceId}/restore`, body);
    if (asked.status !== 202) throw new Error(asked.text);
    return asked.body.restoreId as string;
  };
  const restored = (restoreId: string, ...statuses: string[]) => backups.restored(restoreId, ...statuses);
  const restore = async (serviceId: string, body: object) => restored(await ask(serviceId, body));

  /** Kills the worker during a restore, after it has read half of the backup. @returns the restore at its end */
  async function killMidway(
    serviceId: string,
    body: Readonly<Record<string, string>> & { readonly backupId: string },
    hasBegun: (targetId: string) => Promise<boolean>,
  ): Promise<any> {
    const key = backups.stored().find((file) => file.includes(body.backupId))!;
    const half = giveOnlyHalf(path.join(backups.folder, key));
    const restoreId = await ask(serviceId, body);
    const { serviceId: targetId } = await restored(restoreId, 'running');
    await backups.until(
      () => hasBegun(targetId as string).catch(() => false),
      (isSo) => isSo,
    );
    await worker.kill(() => half.mend());
    return restored(restoreId);
  }

  beforeAll(async () => {
    backups = await BackupBed.start();
    await backups.bed.publish('mariadb', 'library/mariadb:11.8');
    await backups.bed.publish('redis', 'library/redis:7.4-bookworm');
    worker = await KillableWorker.start(backups.bed.panel);
  }, BED_START_MS);

  afterAll(async () => {
    await worker?.close();
    await backups?.close();
  });

  it('MariaDB: dumps with rows counted in the same snapshot, verifies, and restores into a new and the same service', async () => {
    const id = await backups.bed.deploy('mariadb', {
      name: 'Shop',
      variables: { SERVICE_NAME: 'shop-maria', DB_NAME: 'shop', DB_USER: 'shop' },
    });
    await backups.bed.untilDone(id);
    const sql = async (text: string, serviceId = id) => {
      const client = ['mariadb', '--no-defaults', '-h', '127.0.0.1', '-ushop', '--batch', '-N', 'shop', '-e', text];
      return backups.bed.run(serviceId, client, { MYSQL_PWD: await password(serviceId) });
    };
    // Only root may create routines and triggers while the server writes a binary log.
    const asRoot = 'MYSQL_PWD=$(cat /run/panel-secrets/root-password) mariadb --no-defaults -uroot shop -e "$0"';
    const setUp = `create table customers (id int primary key auto_increment, name varchar(50)) engine=InnoDB;
      create table \`odd name\` (id int primary key, customer int, foreign key (customer) references customers (id));
      insert into customers (name) select concat('c', seq) from seq_1_to_5000;
      insert into \`odd name\` values (1, 1), (2, 2);
      create table kinds (a float, b double, c decimal(20, 5), d bit(5), e blob, f timestamp null, g json, h year,
        i char(5) character set latin1, j text, k int as (length(j)) stored, l enum('x', 'y'));
      insert into kinds (a, b, c, d, e, f, g, h, i, j, l) values
        (1.2345678, 0.1 + 2e-17, 123456789.12345, b'10101', x'00ff', '2026-05-01 08:30:00', '{"a": [1]}', 2026, 'é', null, 'y'),
        (null, null, null, null, null, null, null, null, null, repeat('ü', 10000), null);
      create table pages (t text) as select repeat('x', 3000) as t from seq_1_to_100;
      create view named as select name from customers;
      create function twice(n int) returns int deterministic return n * 2;
      create trigger upper_name before insert on customers for each row set new.name = upper(new.name);`;
    await backups.bed.run(id, ['sh', '-c', asRoot, setUp]);
    const record = await backups.backUp(id);
    expect(record).toMatchObject({
      kind: 'dump',
      status: 'succeeded',
      errorMessage: null,
      notes: [],
      verification: { status: 'verified', rows: 5104, compared: 'contents', errorMessage: null },
    });
    expect(record.databaseVersion).toMatch(/^11\.8/);
    const state = `select count(*), sum(crc32(name)), twice(21), (select count(*) from named) from customers`;
    const before = await sql(state);
    await sql("insert into customers (name) values ('later'); delete from `odd name`; drop view named");
    expect(await restore(id, { backupId: record.id, into: 'same', confirm: 'Shop' })).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
    });
    expect(await sql(state)).toBe(before);
    await sql("insert into customers (name) values ('small')");
    expect(await sql("select count(*) from customers where name = binary 'SMALL'")).toBe('1');
    expect(await sql('select count(*) from `odd name`')).toBe('2');
    await expect(sql('insert into `odd name` values (3, 77777)')).rejects.toThrow(/foreign key/);
    const copy = await restore(id, { backupId: record.id, name: 'Shop of then' });
    expect(copy).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await sql(state, copy.serviceId as string)).toBe(before);
    // The worker is killed during restores into the old service and into a new one, whose credentials are not shown
    // yet.
    const hasTables = "select count(*) from information_schema.tables where table_schema = 'panel_restoring'";
    const hasBegun = async (serviceId: string) =>
      Number((await backups.bed.run(serviceId, ['sh', '-c', asRoot, hasTables])).split('\n').at(-1)) > 0;
    const now = await sql(state);
    const backupId = record.id as string;
    const interrupted = await killMidway(id, { backupId, into: 'same', confirm: 'Shop' }, hasBegun);
    expect(interrupted).toMatchObject({ status: 'failed', errorMessage: expect.stringMatching(INTERRUPTED) });
    expect(await sql(state)).toBe(now);
    expect(await sql("select count(*) from information_schema.schemata where schema_name like 'panel%'")).toBe('0');
    const resumed = await killMidway(id, { backupId, name: 'Shop after all' }, hasBegun);
    expect(resumed).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await sql(state, resumed.serviceId as string)).toBe(before);
    // Backups outlive their service.
    await backups.admin.delete(`/api/v1/services/${id}`);
    await backups.bed.panel.until(id, 'gone');
    const kept = await backups.admin.get(`/api/v1/services/${id}/backups?status=succeeded`);
    expect(kept.body.data.map(({ id: backupId }: { id: string }) => backupId)).toContain(record.id);
    const revived = await restore(id, { backupId: record.id, name: 'Shop again' });
    expect(revived).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await sql(state, revived.serviceId as string)).toBe(before);
  }, 400_000);

  it('Redis: copies its snapshot, verifies that it contains every key, and restores into a new and the same service', async () => {
    const id = await backups.bed.deploy('redis', { name: 'Cache', variables: { SERVICE_NAME: 'cache' } });
    await backups.bed.untilDone(id);
    const redis = async (args: readonly string[], serviceId = id) =>
      backups.bed.run(serviceId, ['redis-cli', '-e', ...args], { REDISCLI_AUTH: await password(serviceId) });
    await redis(['EVAL', "for i = 1, 3000 do redis.call('SET', 'k' .. i, i) end", '0']);
    await redis(['SET', 'passing', 'x', 'EX', '600']);
    const url = `/api/v1/services/${id}/backup-policy`;
    const { nextRunAt: _, ...policy } = (await backups.admin.get(url)).body;
    const refused = await backups.admin.call('PUT', url, { body: { ...policy, pitr: true } });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([422, '/pitr']);
    // There is an older snapshot, and the new one takes a second and a half.
    await redis(['SAVE']);
    await redis(['SET', 'newest', 'here']);
    await redis(['CONFIG', 'SET', 'rdb-key-save-delay', '500']);
    const record = await backups.backUp(id);
    await redis(['CONFIG', 'SET', 'rdb-key-save-delay', '0']);
    expect(record).toMatchObject({
      kind: 'snapshot',
      status: 'succeeded',
      errorMessage: null,
      databaseVersion: '7.0.15',
      verification: { status: 'verified', rows: 3001, compared: 'contents', errorMessage: null },
    });
    await redis(['FLUSHALL']);
    await redis(['SET', 'later', '1']);
    expect(await restore(id, { backupId: record.id, into: 'same', confirm: 'Cache' })).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
    });
    expect([await redis(['DBSIZE']), await redis(['GET', 'k2999']), await redis(['EXISTS', 'later'])]).toEqual([
      ...['3002', '2999', '0'],
    ]);
    expect(await redis(['GET', 'newest'])).toBe('here');
    // What is written from now on must survive a restart.
    await redis(['SET', 'after', '1']);
    await backups.admin.post(`/api/v1/services/${id}/restart`);
    await backups.bed.untilDone(id);
    expect([await redis(['DBSIZE']), await redis(['GET', 'after'])]).toEqual(['3003', '1']);
    const copy = await restore(id, { backupId: record.id, name: 'Cache of then' });
    expect(copy).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await redis(['GET', 'k1'], copy.serviceId as string)).toBe('1');
    const backupId = record.id as string;
    const hasFile = (name: string) => async (serviceId: string) =>
      (await backups.bed.attempt(serviceId, ['sh', '-c', `test -f /data/${name}`])).exitCode === 0;
    const interrupted = await killMidway(
      id,
      { backupId, into: 'same', confirm: 'Cache' },
      hasFile('panel-restore.rdb'),
    );
    expect(interrupted).toMatchObject({ status: 'failed', errorMessage: expect.stringMatching(INTERRUPTED) });
    expect([await redis(['DBSIZE']), await redis(['GET', 'after'])]).toEqual(['3003', '1']);
    expect(await backups.bed.run(id, ['sh', '-c', 'find /data -name "panel-*"'])).toBe('');
    const resumed = await killMidway(id, { backupId, name: 'Cache after all' }, hasFile('panel-restore.rdb'));
    expect(resumed).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await redis(['DBSIZE'], resumed.serviceId as string)).toBe('3002');
    const { body } = await backups.admin.get(`/api/v1/services/${id}/disk-usage`);
    expect(body.backupsBytes).toBeGreaterThanOrEqual(record.sizeBytes);
    const cli = async (command: string, ...more: string[]) =>
      (await staffCli(backups.settings(), ['backups', command, '--service', id, ...more, '--json'])).json;
    expect((await cli('list')).map(({ id: backupId }: { id: string }) => backupId)).toContain(record.id);
    const made = (await cli('create')).backupId as string;
    expect(await backups.settled(made)).toMatchObject({ status: 'succeeded' });
    expect(await cli('verify')).toEqual({ backupId: made, status: 'pending' });
    expect(await backups.settled(made)).toMatchObject({ verification: { status: 'verified' } });
    const restoredByCli = await cli('restore', '--name', 'Cache by CLI');
    expect(await restored(restoredByCli.restoreId as string)).toMatchObject({ status: 'succeeded', backupId: made });
    expect(await redis(['DBSIZE'], restoredByCli.serviceId as string)).toBe(await redis(['DBSIZE']));
    expect((await backups.admin.delete(`/api/v1/services/${id}?backups=perhaps`)).status).toBe(422);
    expect((await backups.admin.delete(`/api/v1/services/${id}?backups=delete`)).status).toBe(202);
    expect((await backups.admin.get(`/api/v1/backups/${record.id}`)).body.status).toBe('expired');
    expect(backups.stored().filter((file) => file.includes(id))).toEqual([]);
  }, 400_000);
});
