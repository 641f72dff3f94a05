import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveOnlyHalf } from '../../../../support/backups/half-stored.js';
import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

const ODD = path.join(__dirname, '../../../../support/backups/odd');
const oddOf = (kind: string) => readFileSync(path.join(ODD, `${kind}.sql`), 'utf8');

/** What databases can hold that tools trip over. Copies are compared by what the tools say of them, not by the panel. */
describeWithDatabases('Backups of odd databases', () => {
  let backups: BackupBed;

  const restore = async (serviceId: string, body: object) => {
    const asked = await backups.admin.post(`/api/v1/services/${serviceId}/restore`, body);
    return backups.restored(asked.body.restoreId as string);
  };

  beforeAll(async () => {
    backups = await BackupBed.start();
  }, BED_START_MS);

  afterAll(() => backups?.close(), 60_000);

  it('MariaDB: history, sequences in defaults, large values, events that are over, and views of what is gone', async () => {
    await backups.bed.publish('mariadb', 'library/mariadb:11.8');
    const variables = { SERVICE_NAME: 'odd-maria', DB_NAME: 'shop', DB_USER: 'shop' };
    const id = await backups.bed.deploy('mariadb', { name: 'Odd', variables });
    await backups.bed.untilDone(id);
    const asRoot = (program: string, text: string, serviceId = id) => {
      const script = `export MYSQL_PWD=$(cat /run/panel-secrets/root-password); ${program}`;
      return backups.bed.run(serviceId, ['sh', '-c', script, text]);
    };
    const sql = (text: string, serviceId = id) =>
      asRoot('mariadb --no-defaults -uroot --batch -N shop -e "$0"', text, serviceId);
    const everything = async (serviceId = id) => {
      const what = '--skip-comments --hex-blob --dump-history --routines --order-by-primary --ignore-table=shop.blobs';
      const dump = await asRoot(`mariadb-dump --no-defaults -uroot ${what} $0 shop`, '--force', serviceId);
      const more = 'show create table blobs; select id, md5(large) from blobs; show events;';
      return `${dump}\n${await sql(more, serviceId)}`;
    };
    await asRoot('printf %s "$0" | mariadb --no-defaults -uroot shop', oddOf('mariadb'));
    // The server keeps events whose time has passed while they do not run, and makes none.
    await sql('select sleep(1.5)');
    const record = await backups.backUp(id);
    expect(record).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
      verification: { status: 'verified', errorMessage: null, compared: 'contents' },
    });
    expect(record.notes).toEqual([
      'These views refer to something that is gone, and are not in this backup: shop.broken, shop.broken_too.',
      '2 tables have another engine than InnoDB: the dump may hold them at different moments.',
    ]);
    await sql('drop view broken, broken_too; drop event passed; drop event ended');
    const before = await everything();
    expect(before).toContain('row_start, row_end');
    const copy = await restore(id, { backupId: record.id, name: 'Odd copy' });
    expect(copy).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await everything(copy.serviceId as string)).toBe(before);
    // What somebody dropped by mistake, the views of it, and a transaction that nobody has ended.
    await sql(
      'set foreign_key_checks = 0; drop table a_numbered, egg, hen; drop sequence numbers; drop function twice; create table hen (id int)',
    );
    const held = sql('start transaction; select * from tree; select sleep(300)').catch((error: Error) => error.message);
    const isHeld = () => sql("select count(*) from information_schema.processlist where info like 'select sleep%'");
    await backups.until(isHeld, (found) => found === '1');
    expect(await restore(id, { backupId: record.id, into: 'same', confirm: 'Odd' })).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
    });
    expect(await held).toMatch(/lost|gone|killed/i);
    expect(await everything()).toBe(before);
  }, 300_000);

  it('PostgreSQL: roles, policies, tablespaces, settings, hashes that differ, and an owner who cannot write', async () => {
    const id = await backups.deployPostgresql('Odd too');
    const environment = async (serviceId: string) => ({
      PGPASSWORD: await backups.passwordOf(serviceId),
      PGOPTIONS: '-c default_transaction_read_only=off',
    });
    const sql = async (text: string, serviceId = id) => {
      const client = [
        'psql',
        '-h',
        '127.0.0.1',
        '-X',
        '-A',
        '-t',
        '-q',
        '-v',
        'ON_ERROR_STOP=1',
        '-U',
        'shop',
        '-d',
        'shop',
      ];
      return backups.bed.run(serviceId, [...client, '-c', text], await environment(serviceId));
    };
    const everything = async (serviceId = id) => {
      const options = '--inserts --no-blobs --exclude-table-data=hashed*'.split(' ');
      const dump = ['pg_dump', '-h', '127.0.0.1', '-U', 'shop', '-d', 'shop', ...options];
      const text = await backups.bed.run(serviceId, dump, await environment(serviceId));
      // Remarks tell the tablespace, too, and the mark of a dump is another one each time.
      const statements = text.split('\n').filter((line) => !/^(?:--.*|\\.*|SET default_tablespace.*|)$/.test(line));
      const more = await sql(
        `select l, n from public.hashed order by 1;
         select md5(lo_get(oid)), lomowner::regrole, lomacl from pg_largeobject_metadata;
         select setrole::regrole, array(select s from unnest(setconfig) s where s not like 'app.%' order by 1)
           from pg_db_role_setting where setdatabase <> 0 order by 1::text`,
        serviceId,
      );
      return `${statements.join('\n')}\n${more}`;
    };
    await sql(oddOf('postgresql'));
    await backups.bed.run(id, ['sh', '-c', 'mkdir "$PGDATA/../space" && chown postgres "$PGDATA/../space"']);
    await sql("create tablespace space location '/var/lib/postgresql/data/space'");
    await sql('create table public.elsewhere (a int) tablespace space');
    await sql('alter role shop set default_transaction_read_only = on');
    const record = await backups.backUp(id);
    expect(record).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
      notes: ['In another server these roles are made again without a login: chief, owner_role, reader.'],
      verification: { status: 'verified', errorMessage: null, compared: 'contents' },
    });
    const before = await everything();
    expect(before).toContain('for_readers');
    const copy = await restore(id, { backupId: record.id, name: 'Odd copy too' });
    expect(copy).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await everything(copy.serviceId as string)).toBe(before);
    await sql(`drop schema app cascade; alter database shop is_template true;
      revoke connect on database shop from public; grant connect on database shop to reader`);
    expect(await restore(id, { backupId: record.id, into: 'same', confirm: 'Odd too' })).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
    });
    expect(await everything()).toBe(before);
    expect(
      await sql(
        "select current_setting('app.secret') || ' ' || has_database_privilege('reader', 'shop', 'connect')" +
          " || ' ' || has_database_privilege('owner_role', 'shop', 'connect')",
      ),
    ).toBe('never in a record true false');
    expect(await sql("select string_agg(datname, ' ' order by datname) from pg_database")).toBe(
      'postgres shop template0 template1',
    );
    // Half of the file comes, and then nothing: the restore is at work until the pipe is taken away.
    const half = giveOnlyHalf(path.join(backups.folder, 'services', id, `${record.id}.age`));
    const body = { backupId: record.id, into: 'same', confirm: 'Odd too' };
    const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, body);
    await backups.restored(asked.body.restoreId as string, 'running');
    const other = (await backups.admin.post(`/api/v1/services/${id}/backups`)).body.backupId as string;
    const atWork = "select count(*) from pg_database where datname = 'panel_restoring'";
    await backups.until(
      () => sql(atWork),
      (found) => found === '1',
    );
    await sleep(2_000);
    expect((await backups.admin.get(`/api/v1/backups/${other}`)).body.status).toBe('queued');
    await half.mend();
    expect(await backups.restored(asked.body.restoreId as string)).toMatchObject({ status: 'failed' });
    expect(await backups.settled(other)).toMatchObject({ status: 'succeeded', errorMessage: null });
  }, 300_000);

  it('Redis: several databases, a stream and a function, a snapshot of its own under way, and clients that go on writing', async () => {
    await backups.bed.publish('redis', 'library/redis:7.4-bookworm');
    const id = await backups.bed.deploy('redis', { name: 'Odd keys', variables: { SERVICE_NAME: 'odd-redis' } });
    await backups.bed.untilDone(id);
    const redis = async (...args: string[]) =>
      backups.bed.run(id, ['redis-cli', '-e', ...args], { REDISCLI_AUTH: await backups.passwordOf(id) });
    await redis('EVAL', "for i = 1, 200 do redis.call('SET', 'k' .. i, i) end", '0');
    await redis('-n', '3', 'XADD', 'log', '1-1', 'field', 'value');
    await redis('-n', '3', 'XGROUP', 'CREATE', 'log', 'readers', '0');
    await redis('-n', '15', 'SET', 'soon', 'x', 'PX', '2000');
    const library = "#!lua name=odd\nredis.register_function('one', function() return 1 end)";
    await redis('FUNCTION', 'LOAD', library);
    // The server's own snapshot takes four seconds.
    await redis('CONFIG', 'SET', 'rdb-key-save-delay', '20000');
    await redis('BGSAVE');
    const asked = await backups.admin.post(`/api/v1/services/${id}/backups`);
    await sleep(1_000);
    await redis('CONFIG', 'SET', 'rdb-key-save-delay', '0');
    const record = await backups.settled(asked.body.backupId as string);
    expect(record).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
      verification: { status: 'verified', errorMessage: null, compared: 'contents' },
    });
    await redis('FLUSHALL');
    await redis('FUNCTION', 'FLUSH');
    const writing = new AbortController();
    const written = (async () => {
      for (let n = 0; !writing.signal.aborted; n += 1) await redis('SET', `new${n}`, '1').catch(() => undefined);
    })();
    const restored = await restore(id, { backupId: record.id, into: 'same', confirm: 'Odd keys' });
    writing.abort();
    await written;
    expect(restored).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect([
      await redis('GET', 'k200'),
      await redis('-n', '3', 'XLEN', 'log'),
      await redis('FCALL', 'one', '0'),
    ]).toEqual(['200', '1', '1']);
    expect(await redis('-n', '3', 'XINFO', 'GROUPS', 'log')).toContain('readers');
  }, 300_000);
});
