import pg from 'pg';
import { KillableWorker } from '../../../support/backups/killable-worker.js';
import { EngineProxy } from '../../../support/docker/engine-proxy.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { BackupBed } from '../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../support/services/template-bed.js';

const DIED = 'The worker ended in the middle of the backup.';
/** Locks in the panel's database. */
const HELD = { backups: 4201, restores: 4202 };
const INTERRUPTED = /^The worker ended in the middle of the restore\. The data are whole/;
const PSQL = ['psql', ...'-h 127.0.0.1 -U shop -d shop -X -A -t -q -v ON_ERROR_STOP=1 -c'.split(' ')];
const AS_ROOT = 'MYSQL_PWD=$(cat /run/panel-secrets/root-password) mariadb --no-defaults -uroot -N shop -e "$0"';
/** More definitions than fit into the buffers between the worker and the database client. */
const MANY = Array.from({ length: 100 }, (_, i) => {
  const body = `select '${'x'.repeat(8_000)}'`;
  return `create procedure p${i}() ${body};`;
});

/** One kind of server, with the data that a test writes and reads. */
interface Server {
  id: string;
  /** @returns a text that identifies the state of all data */
  state(serviceId?: string): Promise<string>;
  change(): Promise<unknown>;
  /** Names of everything that a restore left behind in the server. */
  left(): Promise<string>;
}

describeWithDatabases('A worker that is killed between two steps', () => {
  let backups: BackupBed;
  let worker: KillableWorker;
  let engine: EngineProxy;
  let panelDatabase: pg.Client;
  const servers = new Map<string, Server>();
  let changes = 0;

  const run = async (id: string, command: readonly string[], environment: Record<string, string> = {}) =>
    backups.bed.run(id, command, environment);
  /** Without the file by which the worker checks the destination at its start. */
  const stored = () => backups.stored().filter((key) => key.startsWith('services/'));
  const restore = async (id: string, body: object): Promise<string> => {
    const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, body);
    if (asked.status !== 202) throw new Error(asked.text);
    return asked.body.restoreId as string;
  };

  /** Blocks recording that a backup or restore has succeeded. @returns a function that ends the block */
  async function holdSuccess(of: keyof typeof HELD): Promise<() => Promise<unknown>> {
    await panelDatabase.query('select pg_advisory_lock($1)', [HELD[of]]);
    return () => panelDatabase.query('select pg_advisory_unlock($1)', [HELD[of]]);
  }
  const untilHeld = (what: keyof typeof HELD) =>
    backups.until(
      async () => {
        const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${HELD[what]} and not granted`;
        return (await panelDatabase.query(waiting)).rowCount;
      },
      (count) => count !== 0,
    );

  async function postgresql(): Promise<Server> {
    const id = await backups.deployPostgresql('PostgreSQL');
    const sql = async (text: string, serviceId = id) =>
      run(serviceId, [...PSQL, text], { PGPASSWORD: await backups.passwordOf(serviceId) });
    await sql('create table rows as select n, md5(n::text) as t from generate_series(1, 1000) n');
    return {
      id,
      state: (serviceId) => sql("select md5(string_agg(n || t, ',' order by n)) from rows", serviceId),
      change: () => sql(`insert into rows values (0, 'change ${++changes}')`),
      left: () => sql("select string_agg(datname, ',') from pg_database where datname like 'panel%'"),
    };
  }

  async function mariadb(): Promise<Server> {
    await backups.bed.publish('mariadb', 'library/mariadb:11.8');
    const variables = { SERVICE_NAME: 'shop-maria', DB_NAME: 'shop', DB_USER: 'shop' };
    const id = await backups.bed.deploy('mariadb', { name: 'MariaDB', variables });
    await backups.bed.untilDone(id);
    const sql = (text: string, serviceId = id) => run(serviceId, ['sh', '-c', AS_ROOT, text]);
    await sql(`create table entries (n int primary key auto_increment, t varchar(50)) engine=InnoDB;
      insert into entries (t) select concat('r', seq) from seq_1_to_1000; create view named as select t from entries;
      create function twice(n int) returns int deterministic return n * 2;
      create table others (t varchar(50)) engine=InnoDB;
      create trigger upper_t before insert on others for each row set new.t = upper(new.t);`);
    for (let i = 0; i < MANY.length; i += 10) await sql(MANY.slice(i, i + 10).join('\n'));
    const procedures = `(select count(*) from information_schema.routines where routine_schema = 'shop')`;
    return {
      id,
      state: (serviceId) =>
        sql(
          `select count(*), sum(crc32(t)), twice(21), (select count(*) from named), ${procedures},
          (select count(*) from information_schema.triggers where trigger_schema = 'shop') from entries`,
          serviceId,
        ),
      change: () => sql(`insert into entries (t) values ('change ${++changes}')`),
      left: () => sql("select schema_name from information_schema.schemata where schema_name like 'panel%'"),
    };
  }

  async function redis(): Promise<Server> {
    await backups.bed.publish('redis', 'library/redis:7.4-bookworm');
    const id = await backups.bed.deploy('redis', { name: 'Redis', variables: { SERVICE_NAME: 'cache' } });
    await backups.bed.untilDone(id);
    const cli = async (args: readonly string[], serviceId = id) =>
      run(serviceId, ['redis-cli', '-e', ...args], { REDISCLI_AUTH: await backups.passwordOf(serviceId) });
    await cli(['EVAL', "for i = 1, 1000 do redis.call('SET', 'k' .. i, i) end", '0']);
    return {
      id,
      state: async (serviceId) => `${await cli(['DBSIZE'], serviceId)} ${await cli(['GET', 'changed'], serviceId)}`,
      change: () => cli(['SET', 'changed', String(++changes)]),
      left: () => run(id, ['sh', '-c', 'find /data -name "panel-*"']),
    };
  }

  beforeAll(async () => {
    engine = await EngineProxy.create();
    await engine.open();
    backups = await BackupBed.start({ DOCKER_HOST: engine.host });
    panelDatabase = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await panelDatabase.connect();
    await panelDatabase.query(`create function held() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(tg_argv[0]::bigint); return new; end'`);
    for (const [table, key] of Object.entries(HELD))
      await panelDatabase.query(`create trigger held before update on backups.${table} for each row
        when (new.status = 'succeeded' and old.status = 'running') execute function held(${key})`);
    servers.set('PostgreSQL', await postgresql());
    servers.set('MariaDB', await mariadb());
    servers.set('Redis', await redis());
    const body = { schedule: null, keepDaily: 7, keepWeekly: 4, keepMonthly: 3, verify: 'never', pitr: false };
    for (const { id } of servers.values())
      await backups.admin.call('PUT', `/api/v1/services/${id}/backup-policy`, { body });
    worker = await KillableWorker.start(backups.bed.panel);
  }, BED_START_MS);

  afterAll(async () => {
    await worker?.close();
    await panelDatabase?.end();
    await backups?.close();
    await engine?.remove();
  }, 120_000);

  it('PostgreSQL, when all bytes are stored but not recorded: the backup fails, and the stored object is removed', async () => {
    const { id } = servers.get('PostgreSQL')!;
    const before = stored();
    const letGo = await holdSuccess('backups');
    const { body } = await backups.admin.post(`/api/v1/services/${id}/backups`);
    await untilHeld('backups');
    expect(stored()).toHaveLength(before.length + 1);
    await worker.kill(async () => void (await letGo()));
    expect(await backups.settled(body.backupId as string)).toMatchObject({ status: 'failed', errorMessage: DIED });
    expect(stored()).toEqual(before);
  }, 120_000);

  /** Functions that end what a step has started, called after the restore is over. */
  const ends: (() => Promise<void>)[] = [];

  /** Holds the worker at a step of a restore. @returns a function that releases it */
  type Hold = (server: Server) => Promise<() => Promise<unknown>>;

  const recordOfRestore: Hold = async () => {
    const letGo = await holdSuccess('restores');
    await untilHeld('restores');
    return letGo;
  };
  const engineCall =
    (what: string): Hold =>
    async ({ id }) => {
      const { Id } = await backups.bed.container(id);
      await engine.hold((request) => request.startsWith('POST') && request.includes(`${Id}/${what}`));
      return () => Promise.resolve();
    };
  const openTransaction: Hold = async ({ id }) => {
    // Sessions in the database of the service are ended before the swap, but not this one.
    const outside = AS_ROOT.replace(' shop ', ' ');
    const reader = run(id, ['sh', '-c', outside, 'begin; select count(*) from shop.entries; do sleep(600);']).catch(
      () => '',
    );
    const waiting =
      "select count(*) from information_schema.processlist where state = 'Waiting for table metadata lock'";
    await backups.until(
      () => run(id, ['sh', '-c', AS_ROOT, waiting]),
      (count) => count !== '0',
    );
    ends.push(async () => {
      await run(id, [
        'sh',
        '-c',
        AS_ROOT,
        `select concat('kill ', id) into @k from information_schema.processlist
        where info like 'do sleep(600)%'; execute immediate @k;`,
      ]);
      await reader;
    });
    return () => Promise.resolve();
  };
  const tablesMoved: Hold = async ({ id }) => {
    const moved = "select count(*) from information_schema.tables where table_schema = 'panel_replaced'";
    await backups.until(
      () => run(id, ['sh', '-c', AS_ROOT, moved]),
      (count) => count !== '0',
    );
    return () => Promise.resolve();
  };

  const STEPS: readonly (readonly [kind: string, step: string, hold: Hold])[] = [
    ['PostgreSQL', 'after the data have been exchanged', recordOfRestore],
    ['MariaDB', 'while it waits for a client to leave a table', openTransaction],
    ['MariaDB', 'after the tables have been exchanged, before the rest', tablesMoved],
    ['Redis', 'before the server is stopped', engineCall('stop')],
    ['Redis', 'before the server is started again', engineCall('start')],
  ];

  it.each(STEPS)(
    '%s, into the same service, %s: the data are whole, the service can be used, and the next restore works',
    async (kind, _, hold) => {
      const server = servers.get(kind)!;
      const ofBackup = await server.state();
      const { id: backupId } = await backups.backUp(server.id);
      await server.change();
      const before = await server.state();
      const body = { backupId, into: 'same', confirm: kind };
      const restoreId = await restore(server.id, body);
      const letGo = await hold(server);
      await worker.kill(async () => void (await letGo()));
      expect(await backups.restored(restoreId)).toMatchObject({
        status: 'failed',
        errorMessage: expect.stringMatching(INTERRUPTED),
      });
      for (const end of ends.splice(0)) await end();
      expect([before, ofBackup]).toContain(await server.state());
      expect(await server.left()).toBe('');
      await server.change();
      const changed = await server.state();
      if (kind === 'Redis') {
        await backups.admin.post(`/api/v1/services/${server.id}/restart`);
        await backups.bed.untilDone(server.id);
        expect(await server.state()).toBe(changed);
      }
      expect(await backups.restored(await restore(server.id, body))).toMatchObject({ status: 'succeeded' });
      expect(await server.state()).toBe(ofBackup);
    },
    240_000,
  );

  it('Redis, into a new service, after the data are loaded: the restore is repeated, and the data are complete', async () => {
    const server = servers.get('Redis')!;
    const { id } = server;
    const before = await server.state();
    const { id: backupId } = await backups.backUp(id);
    const letGo = await holdSuccess('restores');
    const restoreId = await restore(id, { backupId, name: 'Copy' });
    await untilHeld('restores');
    await worker.kill(async () => void (await letGo()));
    const done = await backups.restored(restoreId);
    expect(done).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await server.state(done.serviceId as string)).toBe(before);
  }, 120_000);

  it('MariaDB, while a dump begins and writers are blocked: they continue, and the next backup works', async () => {
    const server = servers.get('MariaDB')!;
    const { id } = server;
    const { body } = await backups.admin.post(`/api/v1/services/${id}/backups`);
    await engine.hold((request) => request.includes('--master-data=2'));
    await worker.kill(async () => void (await server.change()));
    expect(await backups.settled(body.backupId as string)).toMatchObject({ status: 'failed', errorMessage: DIED });
    expect(await backups.backUp(id)).toMatchObject({ status: 'succeeded' });
  }, 120_000);
});
