import { describeWithUnstableDatabases } from '../../../support/databases/database-images.js';
import { engineRequest } from '../../../support/docker/engine-http.js';
import { BED_START_MS, TemplateBed } from '../../../support/services/template-bed.js';

const CANARY = 'canary-my-5e31c0aa';

describeWithUnstableDatabases('MySQL from a template', () => {
  let bed: TemplateBed;
  let id: string;
  let password = CANARY;

  const sql = (text: string, secret = password) => {
    const login = ['--protocol=tcp', '-h', '127.0.0.1', '--get-server-public-key', '-u', 'app'];
    return bed.run(id, ['mysql', '--no-defaults', '-N', '-s', ...login, '-e', text, 'app'], { MYSQL_PWD: secret });
  };

  beforeAll(async () => {
    bed = await TemplateBed.start();
    await bed.publish('mysql', 'library/mysql:8.4', ['ENV TEST_INIT_DELAY=2']);
    id = await bed.deploy('mysql', { name: 'My', variables: { DB_PASSWORD: CANARY } });
    await bed.untilDone(id);
  }, BED_START_MS);

  afterAll(() => bed.close());

  it('runs with every setting of its template and shows its password nowhere', async () => {
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

  it('keeps acknowledged rows through a kill and a redeployment', async () => {
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

  it('takes a new password and refuses the old one', async () => {
    const path = `/api/v1/services/${id}/credentials`;
    const rotated = await bed.panel.admin.post(`${path}/rotate`);
    expect([rotated.status, rotated.text]).toEqual([200, expect.not.stringContaining(CANARY)]);
    await expect(sql('select 1', CANARY)).rejects.toThrow(/Access denied/);
    password = (await bed.panel.admin.post(`${path}/reveal`)).body.password as string;
    expect(await sql('select 1')).toBe('1');
  }, 120_000);
});
