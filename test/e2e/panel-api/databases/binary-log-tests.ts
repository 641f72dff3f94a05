import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { Uuid } from '#kernel/crypto/uuid';
import { LogRound, PointInTime } from '#libs/backups';
import { DatabaseServices } from '../../../../libs/backups/src/application/database-services.js';
import { giveOnlyHalf } from '../../../support/backups/half-stored.js';
import { KillableWorker } from '../../../support/backups/killable-worker.js';
import { itRarely, MOMENTS } from '../../../support/rare.js';
import { BackupBed } from '../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../support/services/template-bed.js';

const POLICY = { schedule: null, keepDaily: 7, keepWeekly: 4, keepMonthly: 3, verify: 'always', pitr: true };
const AS_ROOT = 'MYSQL_PWD=$(cat /run/panel-secrets/root-password) "$@"';
const RESTORE_MS = 180_000;

/** The differences between MariaDB and MySQL. */
export interface Dialect {
  readonly template: 'mariadb' | 'mysql';
  readonly image: string;
  readonly client: readonly string[];
  /** Options of the client for a user of the service. */
  readonly login: readonly string[];
  /** Statement that prints the name of the file being written. */
  readonly status: string;
  readonly newLog: string;
  /** A kind of object that the other server does not have, and how it is listed. */
  readonly own: { readonly make: string; readonly tables: readonly string[] };
  /** Tables that remain after `drop table one, missing` has failed. */
  readonly afterFailedDrop: readonly string[];
  /** A query that returns many rows of a number and a text. */
  readonly manyRows: string;
  readonly settings: string;
  /** Compresses what later sessions write into the log; empty where the panel cannot read that. */
  readonly compress: string;
}

/** The tests for both servers. */
export function testBinaryLog(dialect: Dialect): void {
  let backups: BackupBed;
  let panelDatabase: pg.Client;
  let id: string;
  /** A restored service, whose data are replaced repeatedly. */
  let target: Uuid;

  const sql = async (text: string, serviceId = id) => {
    const login = ['-h', '127.0.0.1', '-ushop', ...dialect.login];
    const client = [...dialect.client, ...login, 'shop', '-e', text];
    return backups.bed.run(serviceId, client, { MYSQL_PWD: await backups.passwordOf(serviceId) });
  };
  const asRoot = (text: string, serviceId = id) => {
    const client = [...dialect.client, '-uroot', 'mysql', '-e', text];
    return backups.bed.run(serviceId, ['sh', '-c', AS_ROOT, 'sh', ...client], {});
  };
  const window = async () => (await backups.admin.get(`/api/v1/services/${id}/recovery-window`)).body;
  /** One round of the log worker, without waiting for its timer. */
  const ship = () =>
    inPanel(LogRound)
      .run(AbortSignal.timeout(60_000), () => undefined)
      .then(window);
  const inPanel = <T>(type: new (...given: never[]) => T): T => backups.bed.panel.api.app.get(type, { strict: false });
  const now = async () => Number(await sql('select floor(unix_timestamp(now(6)) * 1000)'));
  /** Waits for the next whole second of the server's clock, and returns it. */
  const secondAfter = async () => {
    const at = Math.floor((await now()) / 1000) * 1000 + 1000;
    await backups.until(now, (time) => time >= at);
    return new Date(at);
  };
  const recover = async (at: Date) => {
    const signal = AbortSignal.timeout(120_000);
    const server = await inPanel(DatabaseServices).target(target, signal);
    await inPanel(PointInTime).recover(id as Uuid, at, server, signal);
  };
  const restoredAt = async (at: Date) => {
    const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, { at: at.toISOString() });
    expect([asked.status, asked.body.error]).toEqual([202, undefined]);
    return backups.until(
      async () => (await backups.admin.get(`/api/v1/restores/${asked.body.restoreId}`)).body,
      ({ status }) => status === 'succeeded' || status === 'failed',
    );
  };

  /** Removes the file with the newest writes, which have not been shipped. */
  const loseFile = async () => {
    await asRoot('flush binary logs');
    const [current = ''] = (await asRoot(dialect.status)).split('\t');
    // The server keeps the file for a moment, in case it has to recover.
    await backups.until(
      async () => (await asRoot(`purge binary logs to '${current}'; show binary logs`)).split('\n'),
      (files) => files.length === 1,
    );
  };

  beforeAll(async () => {
    backups = await BackupBed.start();
    panelDatabase = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await panelDatabase.connect();
    await backups.bed.publish(dialect.template, dialect.image);
    const variables = { SERVICE_NAME: 'shop-db', DB_NAME: 'shop', DB_USER: 'shop' };
    id = await backups.bed.deploy(dialect.template, { name: 'Shop database', variables });
    await backups.bed.untilDone(id);
    await sql('create table writes (n int primary key); insert into writes values (1)');
    const set = await backups.admin.call('PUT', `/api/v1/services/${id}/backup-policy`, { body: POLICY });
    expect([set.status, set.body.error]).toEqual([200, undefined]);
    await backups.until(window, ({ from }) => from !== null);
  }, BED_START_MS);
  afterAll(async () => {
    await panelDatabase?.end();
    await backups?.close();
  });

  it('has a base backup that was restored in a trial, with the log after it', async () => {
    const [copy] = await backups.until<any[]>(
      async () => (await backups.admin.get(`/api/v1/services/${id}/backups`)).body.data,
      ([first]) => !['pending', 'running', undefined].includes(first?.verification?.status),
    );
    expect(copy).toMatchObject({
      ...{ kind: 'base', status: 'succeeded', errorMessage: null },
      verification: { status: 'verified', rows: 1, compared: null, errorMessage: null },
    });
    const asked = await backups.fetch(`/api/v1/backups/${copy.id}/download`);
    expect(asked.headers.get('content-disposition')).toContain(`${copy.id}.sql.gz"`);
    expect(gunzipSync(Buffer.from(await asked.arrayBuffer())).toString()).toContain('CREATE TABLE `writes`');
  }, 120_000);

  it('has a window of whole seconds, and rounds a moment down to its second', async () => {
    const { from, to, problem, resolutionMs } = await ship();
    expect([problem, resolutionMs, Date.parse(from as string) % 1000, Date.parse(to as string) % 1000]).toEqual([
      ...[null, 1000, 0, 0],
    ]);
    for (const at of [new Date(Date.parse(from as string) - 1), new Date(Date.now() + 60_000)]) {
      const refused = await backups.admin.post(`/api/v1/services/${id}/restore`, { at: at.toISOString() });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([422, '/at']);
    }
  });

  it(
    'comes back as it was before a mistake: definitions, a renamed schema, and accounts of its own',
    async () => {
      if (dialect.compress !== '') await asRoot(dialect.compress);
      await asRoot(`create database old_name; create table old_name.kept (n int primary key);
      insert into old_name.kept values (1);
      create table shop.parted (n int primary key); ${dialect.own.make}
      create procedure shop.add_one(n int) insert into shop.writes values (n);
      create trigger shop.doubled before insert on shop.parted for each row set new.n = new.n * 2;
      create user other identified by 'a secret of before'; grant all on shop.* to other;
      create database new_name; rename table old_name.kept to new_name.kept; drop database old_name;
      alter user shop account lock; alter user shop account unlock;`);
      await sql('call add_one(2); insert into parted values (21)');
      await sql('create table one (n int); create table two (n int)');
      await expect(sql('drop table one, missing')).rejects.toThrow(/missing/);
      const at = await secondAfter();
      await sql('drop table parted; delete from writes');
      await asRoot('drop procedure shop.add_one');
      const restore = await restoredAt(new Date(at.getTime() + 400));
      expect(restore).toMatchObject({ status: 'succeeded', errorMessage: null, at: at.toISOString() });
      target = restore.serviceId as Uuid;
      expect(await sql('select group_concat(n order by n) from writes', target)).toBe('1,2');
      expect(await sql('insert into parted values (1); select group_concat(n order by n) from parted', target)).toBe(
        '2,42',
      );
      expect(await sql('call add_one(3); select count(*) from writes', target)).toBe('3');
      const tables = ['parted', 'two', 'writes', ...dialect.own.tables, ...dialect.afterFailedDrop].sort();
      expect((await sql('show tables', target)).split('\n').sort()).toEqual(tables);
      expect(await asRoot('select n from new_name.kept', target)).toBe('1');
      expect(await asRoot("select count(*) from user where user = 'other'", target)).toBe('0');
      expect(await asRoot('select @@event_scheduler, @@max_allowed_packet', target)).toBe(dialect.settings);
    },
    RESTORE_MS,
  );

  it('is restored exactly as it was at seconds between two writes', async () => {
    await asRoot(`create table shop.steps (n int primary key, begun double, committed_before double);
      delimiter //
      create procedure shop.write_steps(seconds int) begin
        declare i int default 1; declare since, done double;
        set since = unix_timestamp(sysdate(6)); set done = since;
        while unix_timestamp(sysdate(6)) < since + seconds do
          do sleep(0.01 + rand() * 0.1);
          insert into shop.steps values (i, unix_timestamp(sysdate(6)), done);
          set done = unix_timestamp(sysdate(6)), i = i + 1;
        end while;
      end//
      delimiter ;`);
    const writing = asRoot(`call shop.write_steps(${MOMENTS + 3})`);
    await ship();
    await asRoot('flush binary logs');
    await sql('create table meanwhile as select 1 as n');
    await writing;
    await ship();
    const [first = 0, last = 0] = (await sql('select ceil(min(begun)) + 1, floor(max(begun)) from steps'))
      .split('\t')
      .map(Number);
    const seconds = Array.from({ length: MOMENTS }, (_, i) => first + i).filter((second) => second <= last);
    expect(seconds).toHaveLength(MOMENTS);
    const wrong: unknown[] = [];
    for (const second of seconds) {
      await recover(new Date(second * 1000));
      const [count, highest, sum] = (await sql('select count(*), max(n), sum(n) from steps', target)).split('\t');
      // A transaction that began before the second and was committed in it may be included or not.
      const surely = Number(await sql(`select count(*) - 1 from steps where committed_before < ${second}`));
      const perhaps = Number(await sql(`select count(*) from steps where begun < ${second}`));
      const n = Number(count);
      const isWhole = Number(highest) === n && Number(sum) === (n * (n + 1)) / 2;
      if (!isWhole || n < surely || n > perhaps) wrong.push({ second, count, highest, surely, perhaps });
    }
    expect(wrong).toEqual([]);
  }, 420_000);

  describe('when the worker is killed in the middle of a restore', () => {
    let worker: KillableWorker;
    beforeAll(async () => {
      worker = await KillableWorker.start(backups.bed.panel);
    });
    afterAll(() => worker?.close());

    const state = 'select count(*), sum(crc32(concat(n, text))) from many';
    const hasDump = `select count(*) from information_schema.tables where table_schema = 'shop' and table_name = 'writes'`;
    const segmentsOfLog = () => backups.stored().filter((file) => file.startsWith(`services/${id}/log/`));
    const bytesOf = (file: string) => statSync(path.join(backups.folder, file)).size;

    /** The dump is loaded then, and a half of the largest piece of the log was read. @returns the restore once it is over */
    const killMidway = async (name: string, at: Date, meanwhile: (file: string) => void) => {
      const [largest = ''] = segmentsOfLog().sort((a, b) => bytesOf(b) - bytesOf(a));
      const file = path.join(backups.folder, largest);
      const half = giveOnlyHalf(file);
      const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, { name, at: at.toISOString() });
      expect([asked.status, asked.body.error]).toEqual([202, undefined]);
      const { serviceId } = await backups.restored(asked.body.restoreId as string, 'running');
      await backups.until(
        () => asRoot(hasDump, serviceId as string).catch(() => '0'),
        (tables) => tables === '1',
      );
      await worker.kill(async () => {
        await half.mend();
        meanwhile(file);
      });
      return backups.restored(asked.body.restoreId as string);
    };

    itRarely(
      'removes the new service and says why, or carries the restore on, and leaves the old service as it was',
      async () => {
        await asRoot(`create table shop.many (n int primary key, text varchar(200));
        insert into shop.many ${dialect.manyRows};`);
        const at = await secondAfter();
        await backups.until(ship, ({ to }) => Date.parse(to as string) >= at.getTime());
        const before = await sql(state);
        const whole = await killMidway('Carried on', at, () => undefined);
        expect(whole).toMatchObject({ status: 'succeeded', errorMessage: null });
        expect(await sql(state, whole.serviceId as string)).toBe(before);
        const failed = await killMidway('Never whole', at, (file) => rmSync(file));
        expect(failed).toMatchObject({
          status: 'failed',
          // The worker's own check of the store may have been first to miss the file.
          errorMessage: expect.stringMatching(/is no longer in the store\.$|has a gap before it\.$/),
        });
        await backups.bed.panel.until(failed.serviceId as string, 'gone');
        expect(await sql(state)).toBe(before);
        // What was lost ends the window, and another one begins.
        await backups.until(ship, ({ from, problem }) => problem === null && Date.parse(from as string) > at.getTime());
      },
      2 * RESTORE_MS,
    );
  });

  it('has a window that grows while nothing is written, without storing anything', async () => {
    const before = await ship();
    const stored = backups.stored();
    await secondAfter();
    // The worker may be at it, and then this turn does nothing.
    const after = await backups.until(ship, ({ to }) => Date.parse(to as string) > Date.parse(before.to as string));
    expect(after).toMatchObject({ from: before.from, problem: null });
    expect(backups.stored()).toEqual(stored);
  }, 60_000);

  it.each([
    ['a part of the log is gone', () => loseFile(), /lacks the file [a-z-]+\.\d{6}\.$/],
    ['the server began a new log', () => asRoot(dialect.newLog), /began a new log|lacks the file|shorter/],
  ])(
    'finds it at once when %s, and begins a new window',
    async (_, lose, problem) => {
      const before = await ship();
      // The log must not be shipped meanwhile.
      const lease = `insert into backups.wal_leases values ($1, gen_random_uuid(), now() + interval '1 minute')`;
      await backups.until(
        () => panelDatabase.query(lease, [id]).catch(() => null),
        (taken) => taken !== null,
      );
      await sql('replace into writes values (77)');
      await lose();
      await panelDatabase.query('delete from backups.wal_leases');
      const broken = await backups.until(ship, (found) => found.problem !== null || found.from !== before.from);
      expect(broken.problem).toMatch(problem);
      await backups.until(
        ship,
        ({ problem, from }) => problem === null && Date.parse(from as string) > Date.parse(before.to as string),
      );
      const at = await secondAfter();
      await recover(at);
      expect(await sql('select count(*) from writes', target)).toBe(await sql('select count(*) from writes'));
    },
    120_000,
  );
}
