import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { LogRound } from '#libs/backups';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { BackupBed } from '../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../support/services/template-bed.js';

const HOST = ['-h', '127.0.0.1', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];
const POLICY = { schedule: null, keepDaily: 7, keepWeekly: 4, keepMonthly: 3, verify: 'never', pitr: true };

describeWithDatabases('A PostgreSQL at any moment', () => {
  let backups: BackupBed;
  let id: string;

  const sql = async (text: string, serviceId = id) => {
    const environment = { PGPASSWORD: await backups.passwordOf(serviceId) };
    return backups.bed.run(serviceId, ['psql', ...HOST, '-U', 'shop', '-d', 'shop', '-c', text], environment);
  };
  const window = async () => (await backups.admin.get(`/api/v1/services/${id}/recovery-window`)).body;
  /** One turn of the worker's, without waiting for it. */
  const ship = () =>
    backups.bed.panel.api.app
      .get(LogRound, { strict: false })
      .run(AbortSignal.timeout(60_000), () => undefined)
      .then(window);
  const now = async () => new Date(Number(await sql('select floor(extract(epoch from clock_timestamp()) * 1000)')));

  const restoredAt = async (at: Date) => {
    const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, { at: at.toISOString() });
    expect(asked.status).toBe(202);
    return backups.until(
      async () => (await backups.admin.get(`/api/v1/restores/${asked.body.restoreId}`)).body,
      ({ status }) => status === 'succeeded' || status === 'failed',
    );
  };

  beforeAll(async () => {
    backups = await BackupBed.start();
    await backups.bed.publish('postgres', 'library/postgres:16-bookworm');
    const variables = { SERVICE_NAME: 'shop-db', DB_NAME: 'shop', DB_USER: 'shop' };
    id = await backups.bed.deploy('postgresql', { name: 'Shop database', variables });
    await backups.bed.untilDone(id);
    await sql('create table writes (n int primary key, at timestamptz not null default clock_timestamp())');
    const set = await backups.admin.call('PUT', `/api/v1/services/${id}/backup-policy`, { body: POLICY });
    expect(set.status).toBe(200);
    await backups.until(window, ({ from }) => from !== null);
  }, BED_START_MS);
  afterAll(() => backups?.close());

  it('has a window, and only within it', async () => {
    const { from, problem } = await window();
    expect(problem).toBeNull();
    for (const at of [new Date(Date.parse(from as string) - 1), new Date(Date.now() + 60_000)]) {
      const refused = await backups.admin.post(`/api/v1/services/${id}/restore`, { at: at.toISOString() });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([422, '/at']);
    }
  });

  it('comes back as it was between two writes, with a password of its own, and archives nothing', async () => {
    await sql('insert into writes (n) values (1)');
    const between = await now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await sql('insert into writes (n) values (2)');
    await sql('create table dropped as select 1; drop table dropped');
    const restore = await restoredAt(between);
    expect(restore).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
      at: between.toISOString(),
      backupId: null,
    });
    expect(await sql('select string_agg(n::text, $$,$$ order by n) from writes', restore.serviceId)).toBe('1');
    expect(await sql('select string_agg(n::text, $$,$$ order by n) from writes')).toBe('1,2');
    expect(await sql('select pg_is_in_recovery()', restore.serviceId)).toBe('f');
    const left = `select count(*) from pg_file_settings where name in ('restore_command', 'recovery_target_time')`;
    expect(await sql(left, restore.serviceId)).toBe('0');
    const files = 'ls -A /var/lib/postgresql/data; ls -A /var/lib/postgresql/data/wal_archive 2>/dev/null | wc -l';
    expect(await backups.bed.run(restore.serviceId, ['sh', '-c', files], {})).toBe('pgdata\n0');
  }, 180_000);

  it('says in its window that the log is not shipped, and for how long', async () => {
    const folder = path.join(backups.folder, 'services', id, 'log');
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, '');
    await sql('create table unshipped as select 1');
    const failing = await backups.until(ship, ({ problem }) => problem !== null);
    expect(failing.problem).toBe(
      'The log is not shipped at present. The destination of backups: a part of the path of the backup directory is a file.',
    );
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    const whole = await backups.until(ship, ({ problem }) => problem === null);
    expect(whole.from).toBe(failing.from);
    expect(Date.parse(whole.to as string)).toBeGreaterThan(Date.parse(failing.to as string));
    const panelDatabase = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await panelDatabase.connect();
    const { rows } = await panelDatabase.query<{ problem: string | null }>(
      `select data -> 'recovery' ->> 'problem' as problem from services.feed where data ? 'recovery' order by seq`,
    );
    await panelDatabase.end();
    expect(rows.map(({ problem }) => problem)).toEqual([null, failing.problem, null]);
  }, 120_000);

  it('goes with a service that is deleted with its backups', async () => {
    const kept = () => backups.stored().filter((file) => file.includes(id));
    expect(kept().length).toBeGreaterThan(0);
    expect((await backups.admin.delete(`/api/v1/services/${id}?backups=delete`)).status).toBe(202);
    expect(
      await backups.until(
        () => Promise.resolve(kept()),
        (files) => files.length === 0,
      ),
    ).toEqual([]);
  }, 120_000);
});
