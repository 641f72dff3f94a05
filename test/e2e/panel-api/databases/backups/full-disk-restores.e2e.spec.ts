import { mayMount, SmallDisk } from '../../../../support/backups/small-disk.js';
import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

if (!mayMount) process.stderr.write('skipped: restores onto a full disk: mounting a small file system needs root\n');

const KINDS = [
  {
    slug: 'postgresql',
    image: ['postgres', 'library/postgres:16-bookworm'],
    folder: '/var/lib/postgresql/data',
    left: [8_000, 60_000],
    client: ['psql', '-h', '127.0.0.1', '-U', 'shop', '-d', 'shop', '-X', '-A', '-t', '-q', '-c'],
    password: 'PGPASSWORD',
    fill: `create table pages as select n as id, (select string_agg(md5(n || '.' || k), '') from generate_series(1, 60) k) as t
      from generate_series(1, 25000) n`,
    empty: 'truncate pages; insert into pages values (1, $$kept$$); checkpoint',
    leftovers: `select count(*) from pg_database where datname like 'panel%'`,
  },
  {
    slug: 'mariadb',
    image: ['mariadb', 'library/mariadb:11.8'],
    folder: '/var/lib/mysql',
    left: [60_000],
    client: ['mariadb', '--no-defaults', '-h', '127.0.0.1', '-ushop', '--batch', '-N', 'shop', '-e'],
    password: 'MYSQL_PWD',
    fill: `create table pages (id int primary key, t text) as
      select seq as id, repeat(sha2(seq, 512), 15) as t from seq_1_to_25000`,
    empty: `truncate pages; insert into pages values (1, 'kept')`,
    leftovers: `select count(*) from information_schema.schemata where schema_name like 'panel%'`,
  },
] as const;

describeWithDatabases('Restores into a database whose disk is full', () => {
  let backups: BackupBed;
  const disks: SmallDisk[] = [];

  beforeAll(async () => {
    if (mayMount) backups = await BackupBed.start();
  }, BED_START_MS);

  afterAll(async () => {
    for (const disk of disks) disk.unmount();
    await backups?.close();
  }, 120_000);

  (mayMount ? it.each(KINDS) : it.skip.each(KINDS))(
    '$slug: a restore ends before the disk is full, the server goes on with its data, and there is a way back',
    async ({ slug, image: [name, reference], folder, client, password, fill, empty, leftovers, left }) => {
      await backups.bed.publish(name, reference);
      const variables = { SERVICE_NAME: `shop-${slug}`, DB_NAME: 'shop', DB_USER: 'shop' };
      const id = await backups.bed.deploy(slug, { name: slug, variables, resourceLimits: { memoryMb: 1024 } });
      await backups.bed.untilDone(id);
      const disk = await SmallDisk.under(backups, id, folder, '420m');
      disks.push(disk);
      const sql = async (text: string) =>
        backups.bed.run(id, [...client, text], { [password]: await backups.passwordOf(id) });
      const restore = async () => {
        const body = { backupId: backup.id, into: 'same', confirm: slug };
        const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, body);
        return backups.restored(asked.body.restoreId as string);
      };
      const container = async () => (await backups.bed.inspect((await backups.bed.container(id)).Id)).State;

      await sql(fill);
      const backup = await backups.backUp(id);
      expect(backup).toMatchObject({ status: 'succeeded', verification: { status: 'verified', rows: 25_000 } });
      await sql(empty);
      const { StartedAt, Pid } = await container();
      for (const freeKb of left) {
        disk.fill(freeKb);
        const refused = await restore();
        expect([refused.status, refused.errorMessage]).toEqual([
          'failed',
          expect.stringMatching(/^The disk of the database has only \d+ MB left/),
        ]);
        expect(await sql('select id, t from pages')).toMatch(/^1[|\t]kept$/);
        await sql(`insert into pages values (2, 'later'); delete from pages where id = 2`);
        expect([await sql(leftovers), await container()]).toMatchObject(['0', { StartedAt, Pid, Running: true }]);
        disk.clear();
      }
      expect(await restore()).toMatchObject({ status: 'succeeded', errorMessage: null });
      expect(await sql('select count(*) from pages')).toBe('25000');
    },
    300_000,
  );
});
