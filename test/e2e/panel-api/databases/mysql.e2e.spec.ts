import { describeWithUnstableDatabases } from '../../../support/databases/database-images.js';
import { engineRequest } from '../../../support/docker/engine-http.js';
import { BackupBed } from '../../../support/services/backup-bed.js';
import { BED_START_MS, type TemplateBed } from '../../../support/services/template-bed.js';

const CANARY = 'canary-my-5e31c0aa';

describeWithUnstableDatabases('MySQL from a template', () => {
  let backups: BackupBed;
  let bed: TemplateBed;
  let id: string;
  let password = CANARY;

  const sql = (text: string, secret = password, serviceId = id) => {
    const login = ['--protocol=tcp', '-h', '127.0.0.1', '--get-server-public-key', '-u', 'app'];
    return bed.run(serviceId, ['mysql', '--no-defaults', '-N', '-s', ...login, '-e', text, 'app'], {
      MYSQL_PWD: secret,
    });
  };

  beforeAll(async () => {
    backups = await BackupBed.start();
    bed = backups.bed;
    await bed.publish('mysql', 'library/mysql:8.4', ['ENV TEST_INIT_DELAY=2']);
    id = await bed.deploy('mysql', { name: 'My', variables: { DB_PASSWORD: CANARY } });
    await bed.untilDone(id);
  }, BED_START_MS);

  afterAll(() => backups.close());

  it('runs with every setting of its template and reveals its password nowhere', async () => {
    const values = await sql(
      'select @@collation_server, @@collation_database, @@log_bin, @@gtid_mode, @@default_storage_engine, ' +
        '@@sync_binlog, @@innodb_flush_log_at_trx_commit, @@innodb_buffer_pool_size / 1048576, ' +
        '@@innodb_redo_log_capacity / 1048576, @@binlog_expire_logs_seconds',
    );
    const expected = ['utf8mb4_unicode_ci', 'utf8mb4_unicode_ci', '1', 'ON', 'InnoDB'];
    expect(values.split('\t')).toEqual([...expected, '1', '1', '128.0000', '64.0000', '259200']);
    const { Id } = await bed.container(id);
    const shown = JSON.stringify(await bed.inspect(Id));
    const logs = (await engineRequest('GET', `/containers/${Id}/logs?stdout=1&stderr=1`)).text;
    expect(shown + logs + bed.panel.logs()).not.toContain(CANARY);
  });

  it('keeps acknowledged rows after a kill and a redeployment', async () => {
    await sql('create table t (id int auto_increment primary key, v varchar(20))');
    await sql(
      'insert into t (v) with recursive s (n) as (select 1 union all select n + 1 from s where n < 1000) ' +
        "select concat('row ', n) from s",
    );
    const { Id } = await bed.container(id);
    await engineRequest('POST', `/containers/${Id}/kill`);
    await bed.panel.admin.post(`/api/v1/services/${id}/redeploy`);
    await bed.untilDone(id);
    expect(await sql('select count(*) from t')).toBe('1000');
  }, 180_000);

  it('accepts the new password after a rotation and refuses the old one', async () => {
    const path = `/api/v1/services/${id}/credentials`;
    const rotated = await bed.panel.admin.post(`${path}/rotate`);
    expect([rotated.status, rotated.text]).toEqual([200, expect.not.stringContaining(CANARY)]);
    await expect(sql('select 1', CANARY)).rejects.toThrow(/Access denied/);
    password = (await bed.panel.admin.post(`${path}/reveal`)).body.password as string;
    expect(await sql('select 1')).toBe('1');
  }, 120_000);

  it('is dumped, verified by its contents, and restored into a new and the same service', async () => {
    const asRoot = 'MYSQL_PWD=$(cat /run/panel-secrets/root-password) mysql --no-defaults -uroot app -e "$0"';
    const setUp = `create table kinds (a float, b double, c decimal(20, 5), d bit(5), e blob, f timestamp null, g json,
        h year, i char(5) character set latin1, j text, k int as (length(j)) stored, l enum('x', 'y'));
      insert into kinds (a, b, c, d, e, f, g, h, i, j, l) values
        (1.2345678, 0.1 + 2e-17, 123456789.12345, b'10101', x'00ff', '2026-05-01 08:30:00', '{"a": [1]}', 2026, 'é', null, 'y'),
        (null, null, null, null, null, null, null, null, null, repeat('ü', 10000), null);
      create view named as select v from t;
      create function twice(n int) returns int deterministic return n * 2;
      create trigger upper_v before insert on t for each row set new.v = upper(new.v);`;
    await bed.run(id, ['sh', '-c', asRoot, setUp]);
    const record = await backups.backUp(id);
    expect(record).toMatchObject({
      kind: 'dump',
      status: 'succeeded',
      errorMessage: null,
      notes: [],
      verification: { status: 'verified', rows: 1002, compared: 'contents', errorMessage: null },
    });
    const state = 'select count(*), sum(crc32(v)), twice(21), (select count(*) from named) from t';
    const before = await sql(state);
    await sql("insert into t (v) values ('later')");
    await bed.run(id, ['sh', '-c', asRoot, 'drop view named']);
    const backupId = record.id as string;
    const restore = async (body: object) => {
      const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, body);
      if (asked.status !== 202) throw new Error(asked.text);
      return backups.restored(asked.body.restoreId as string);
    };
    const succeeded = { status: 'succeeded', errorMessage: null };
    expect(await restore({ backupId, into: 'same', confirm: 'My' })).toMatchObject(succeeded);
    expect(await sql(state)).toBe(before);
    await sql("insert into t (v) values ('small')");
    expect(await sql("select count(*) from t where v = binary 'SMALL'")).toBe('1');
    const copy = await restore({ backupId, name: 'My of then' });
    expect(copy).toMatchObject(succeeded);
    const copyId = copy.serviceId as string;
    expect(await sql(state, await backups.passwordOf(copyId), copyId)).toBe(before);
  }, 400_000);
});
