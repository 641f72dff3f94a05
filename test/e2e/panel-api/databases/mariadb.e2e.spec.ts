import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { Transactions } from '#kernel/transactions';
import { TemplateServices } from '#libs/services';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { engineRequest } from '../../../support/docker/engine-http.js';
import { BED_START_MS, TemplateBed } from '../../../support/services/template-bed.js';

const CANARY = 'canary-ma-7d20be91';
/** The panel does not touch a rotation younger than half a minute, because its process may still be working on it. */
const LONG_AGO_MS = 600_000;

describeWithDatabases('MariaDB from a template', () => {
  let bed: TemplateBed;
  let id: string;
  let password = CANARY;

  const sql = (text: string, secret = password) => {
    const login = ['--protocol=tcp', '-h', '127.0.0.1', '-u', 'app'];
    return bed.run(id, ['mariadb', '--no-defaults', '-N', '-s', ...login, '-e', text, 'app'], { MYSQL_PWD: secret });
  };

  beforeAll(async () => {
    bed = await TemplateBed.start();
    await bed.publish('mariadb', 'library/mariadb:11.8', ['ENV TEST_INIT_DELAY=2']);
    id = await bed.deploy('mariadb', { name: 'Maria', variables: { DB_PASSWORD: CANARY } });
    await bed.untilDone(id);
  }, BED_START_MS);

  afterAll(() => bed.close());

  it('runs with every setting of its template and reveals its password nowhere', async () => {
    const values = await sql(
      'select @@collation_server, @@collation_database, @@log_bin, @@binlog_format, @@thread_handling, ' +
        '@@default_tmp_storage_engine, @@aria_used_for_temp_tables, @@innodb_buffer_pool_size / 1048576',
    );
    expect(values.split('\t')).toEqual([
      'utf8mb4_unicode_ci',
      'utf8mb4_unicode_ci',
      '1',
      'ROW',
      'pool-of-threads',
      'Aria',
      '1',
      '153.0000',
    ]);
    const { Id } = await bed.container(id);
    const shown = JSON.stringify(await bed.inspect(Id));
    const logs = (await engineRequest('GET', `/containers/${Id}/logs?stdout=1&stderr=1`)).text;
    expect(shown + logs + bed.panel.logs()).not.toContain(CANARY);
  });

  it('keeps acknowledged rows after a kill and a redeployment', async () => {
    await sql('create table t (id int auto_increment primary key, v varchar(20))');
    await sql("insert into t (v) select concat('row ', seq) from seq_1_to_1000");
    // An ordinary user can create triggers although the binary log is on.
    await sql("create trigger marked before insert on t for each row set new.v = concat(new.v, '!')");
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

  describe('after a process died during a rotation', () => {
    const reveal = async () =>
      (await bed.panel.admin.post(`/api/v1/services/${id}/credentials/reveal`)).body.password as string;
    /** Simulates a process that has stored the next password and then died. */
    const begun = (next: string) => {
      const { app } = bed.panel.api;
      const at = new Date(Date.now() - LONG_AGO_MS);
      return app
        .get(Transactions)
        .run(() => app.get(TemplateServices).beginRotation(id as Uuid, new SecretText(next), at));
    };

    it('keeps the old password if the database did not get the new one', async () => {
      expect(await begun('NeverTaken0123456789')).toBe(true);
      expect(await reveal()).toBe(password);
      expect(await sql('select 1')).toBe('1');
    });

    it('keeps the new password if the database got it, even after a deployment', async () => {
      const next = 'TakenBeforeTheEnd0123';
      expect(await begun(next)).toBe(true);
      await sql(`set password = password('${next}')`);
      await bed.panel.admin.post(`/api/v1/services/${id}/redeploy`);
      await bed.untilDone(id);
      await expect(sql('select 1')).rejects.toThrow(/Access denied/);
      password = await reveal();
      expect(password).toBe(next);
      expect(await sql('select 1')).toBe('1');
    }, 120_000);
  });
});
