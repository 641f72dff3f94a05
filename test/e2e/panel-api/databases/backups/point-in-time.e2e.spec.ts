import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Uuid } from '#kernel/crypto/uuid';
import { LogRound, PointInTime } from '#libs/backups';
import { DatabaseServices } from '../../../../../libs/backups/src/application/database-services.js';
import { withoutOneTable } from '../../../../support/backups/damaged-copy.js';
import { forgeDump } from '../../../../support/backups/forged-dump.js';
import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { engineRequest } from '../../../../support/docker/engine-http.js';
import { itRarely, MOMENTS } from '../../../../support/rare.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

const HOST = ['-h', '127.0.0.1', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];
const POLICY = { schedule: null, keepDaily: 7, keepWeekly: 4, keepMonthly: 3, verify: 'always', pitr: true };

describeWithDatabases('A PostgreSQL at any moment', () => {
  let backups: BackupBed;
  let panelDatabase: pg.Client;
  let id: string;
  /** A restored service, whose data are replaced repeatedly. */
  let target: Uuid;

  const sql = async (text: string, serviceId = id) => {
    const environment = { PGPASSWORD: await backups.passwordOf(serviceId) };
    return backups.bed.run(serviceId, ['psql', ...HOST, '-U', 'shop', '-d', 'shop', '-c', text], environment);
  };
  const window = async () => (await backups.admin.get(`/api/v1/services/${id}/recovery-window`)).body;
  /** One round of the log worker, without waiting for its timer. */
  const ship = () =>
    backups.bed.panel.api.app
      .get(LogRound, { strict: false })
      .run(AbortSignal.timeout(60_000), () => undefined)
      .then(window);
  /** Nothing is wrong, and the log was shipped after the copy. */
  const isWhole = ({ problem, from }: any) => problem === null && from !== null;
  /** Until the log after the new copy is shipped, the old window is reported: it can still be restored. */
  const isNewAfter = (before: any) => (after: any) => isWhole(after) && Date.parse(after.from) > Date.parse(before.to);
  const isLaterThan = (before: any) => (after: any) => Date.parse(after.to) > Date.parse(before.to);
  const now = async () => new Date(Number(await sql('select floor(extract(epoch from clock_timestamp()) * 1000)')));

  const copies = async (): Promise<any[]> =>
    (await backups.admin.get(`/api/v1/services/${id}/backups?pageSize=100`)).body.data;
  const isDone = (copy?: { readonly verification: { readonly status: string } | null }) =>
    !['pending', 'running', undefined].includes(copy?.verification?.status);

  const restoredAt = async (at: Date) => {
    const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, { at: at.toISOString() });
    expect(asked.status).toBe(202);
    return backups.until(
      async () => (await backups.admin.get(`/api/v1/restores/${asked.body.restoreId}`)).body,
      ({ status }) => status === 'succeeded' || status === 'failed',
    );
  };

  /** Restarts the server as the panel does, but without waiting for the engine's next health check. */
  const startAgain = async ({ containerId }: { readonly containerId: string }) => {
    await engineRequest('POST', `/containers/${containerId}/restart?t=10`);
    await backups.until(
      () => sql('select 1', target).catch(() => null),
      (answer) => answer === '1',
    );
  };

  beforeAll(async () => {
    backups = await BackupBed.start();
    panelDatabase = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await panelDatabase.connect();
    id = await backups.deployPostgresql('Shop database');
    await sql('create table writes (n int primary key, at timestamptz not null default clock_timestamp())');
    const set = await backups.admin.call('PUT', `/api/v1/services/${id}/backup-policy`, { body: POLICY });
    expect(set.status).toBe(200);
    await backups.until(window, ({ from }) => from !== null);
  }, BED_START_MS);
  afterAll(async () => {
    await panelDatabase?.end();
    await backups?.close();
  });

  it('can be restored only to moments within its window', async () => {
    const { from, problem } = await window();
    expect(problem).toBeNull();
    for (const at of [new Date(Date.parse(from as string) - 1), new Date(Date.now() + 60_000)]) {
      const refused = await backups.admin.post(`/api/v1/services/${id}/restore`, { at: at.toISOString() });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([422, '/at']);
    }
  });

  it('lists its copy as a base backup, which is restored in a trial and goes back to its own end', async () => {
    const [copy] = await backups.until(copies, ([first]) => isDone(first));
    expect(copy).toMatchObject({
      ...{ kind: 'base', status: 'succeeded', trigger: 'schedule', serviceId: id, expiresAt: null, errorMessage: null },
      verification: { status: 'verified', rows: 0, compared: null, errorMessage: null },
    });
    expect(copy.databaseVersion).toMatch(/^\d+\.\d+/);
    expect(copy.verification.objects).toBeGreaterThan(0);
    expect((await backups.admin.get(`/api/v1/backups/${copy.id}`)).body).toEqual(copy);
    const packed = await backups.fetch(`/api/v1/backups/${copy.id}/download`);
    expect(packed.headers.get('content-disposition')).toBe(`attachment; filename="postgresql-${copy.id}.tar.gz"`);
    expect([...Buffer.from(await packed.arrayBuffer()).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    expect((await backups.admin.get(`/api/v1/services/${id}/disk-usage`)).body.backupsBytes).toBe(copy.sizeBytes);
    const same = { backupId: copy.id, into: 'same', confirm: 'Shop database' };
    const replaced = await backups.admin.post(`/api/v1/services/${id}/restore`, same);
    expect([replaced.status, replaced.body.error.details[0].path]).toEqual([422, '/into']);
    const deleted = await backups.admin.delete(`/api/v1/backups/${copy.id}`);
    expect([deleted.status, deleted.body.error.code]).toEqual([409, 'invalid_state']);
    // It is no dump.
    const cloned = await backups.admin.post(`/api/v1/services/${id}/clone`, { name: 'Clone' });
    expect([cloned.status, cloned.body.error.code]).toEqual([409, 'backup_missing']);
    const { rows } = await panelDatabase.query('select 1 from backups.backups where expires_at is not null');
    expect(rows).toEqual([]);
    const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, { backupId: copy.id });
    expect(asked).toMatchObject({ status: 202, body: { at: (await window()).from } });
    const restore = await backups.restored(asked.body.restoreId as string);
    expect(restore).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await sql('select count(*) from writes', restore.serviceId as string)).toBe('0');
  }, 180_000);

  it('is restored as it was between two writes, with a new password, and without archiving its own log', async () => {
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
    target = restore.serviceId as Uuid;
    expect(await sql('select pg_is_in_recovery()', target)).toBe('f');
    const left = `select count(*) from pg_file_settings where name in ('restore_command', 'recovery_target_time')`;
    expect(await sql(left, restore.serviceId)).toBe('0');
    const files = 'ls -A /var/lib/postgresql/data; ls -A /var/lib/postgresql/data/wal_archive 2>/dev/null | wc -l';
    expect(await backups.bed.run(restore.serviceId, ['sh', '-c', files], {})).toBe('pgdata\n0');
  }, 180_000);

  it('is restored exactly as it was at random moments between two writes', async () => {
    // Every write records when the previous one had been committed: nothing happens between that and its own start.
    await sql('create table steps (n int primary key, quiet_from timestamptz, quiet_until timestamptz)');
    await sql(`do $$ declare committed timestamptz := clock_timestamp(); begin
        for i in 1..${MOMENTS * 20} loop
          perform pg_sleep(0.004 + random() * 0.01);
          insert into steps values (i, committed, clock_timestamp());
          commit;
          committed := clock_timestamp();
          if i % 40 = 0 then perform pg_switch_wal(); end if;
        end loop;
      end $$`);
    await ship();
    const quiet = `select n - 1, ceil(extract(epoch from quiet_from) * 1000), floor(extract(epoch from quiet_until) * 1000)
      from steps where n > 1 and quiet_until - quiet_from > interval '3 ms' order by random() limit ${MOMENTS}`;
    const moments = (await sql(quiet)).split('\n').map((line) => line.split('|').map(Number));
    expect(moments).toHaveLength(MOMENTS);
    const inPanel = <T>(type: new (...given: never[]) => T): T =>
      backups.bed.panel.api.app.get(type, { strict: false });
    const signal = AbortSignal.timeout(400_000);
    const found: unknown[] = [];
    for (const [, from = 0, until = 0] of moments) {
      const at = new Date(from + Math.floor(Math.random() * (until - from)));
      const server = await inPanel(DatabaseServices).target(target, signal);
      await inPanel(PointInTime).recover(id as Uuid, at, { ...server, restart: () => startAgain(server) }, signal);
      found.push(await sql(`select count(*) || ' ' || max(n) || ' ' || sum(n) from steps`, target));
    }
    expect(found).toEqual(moments.map(([n = 0]) => `${n} ${n} ${(n * (n + 1)) / 2}`));
  }, 420_000);

  it('has a window that grows while nothing is written, without storing anything', async () => {
    await backups.until(ship, ({ to }) => to !== null);
    const before = await ship();
    const stored = backups.stored();
    // The worker may be at it, and then this turn does nothing.
    const after = await backups.until(ship, isLaterThan(before));
    expect(after).toMatchObject({ from: before.from, problem: null });
    expect(backups.stored()).toEqual(stored);
  }, 60_000);

  it('reports in its window that the log is not shipped, as long as it is so', async () => {
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
    const { rows } = await panelDatabase.query<{ problem: string | null }>(
      `select data -> 'recovery' ->> 'problem' as problem from services.feed where data ? 'recovery' order by seq`,
    );
    expect(rows.map(({ problem }) => problem)).toEqual([null, failing.problem, null]);
  }, 120_000);

  itRarely(
    'retries a failed base backup after a pause, reports it, and ships the log meanwhile',
    async () => {
      const folder = path.join(backups.folder, 'services', id, 'base');
      renameSync(folder, `${folder}.away`);
      writeFileSync(folder, '');
      await panelDatabase.query(`update backups.wal_bases set ended_at = ended_at - interval '25 hours'`);
      const failing = await backups.until(ship, ({ problem }) => problem !== null);
      expect(failing.problem).toMatch(
        /^The copy of all data failed once: The destination .* is a file\. The next attempt is after 20[-:.\dTZ]+\.$/,
      );
      await sql('create table meanwhile as select 1');
      const later = await backups.until(ship, isLaterThan(await ship()));
      expect(later).toMatchObject({ from: failing.from, problem: failing.problem });
      await panelDatabase.query(`update backups.wal_streams set copy_failed_at = copy_failed_at - interval '1 minute'`);
      const again = await backups.until(ship, ({ problem }) => problem !== failing.problem);
      expect(again.problem).toMatch(/^The copy of all data failed 2 times in a row: /);
      rmSync(folder);
      renameSync(`${folder}.away`, folder);
      for (const pitr of [false, true])
        await backups.admin.call('PUT', `/api/v1/services/${id}/backup-policy`, { body: { ...POLICY, pitr } });
      await backups.until(ship, ({ problem, from }) => problem === null && from !== null);
      const newest = `select max(ended_at) > now() - interval '1 minute' as fresh from backups.wal_bases`;
      expect((await panelDatabase.query(newest)).rows).toEqual([{ fresh: true }]);
    },
    120_000,
  );

  itRarely(
    'takes another copy when one cannot be restored in a trial, and restores nothing from that one',
    async () => {
      const [newest] = await backups.until(copies, ([first]) => isDone(first));
      for (const older of (await copies()).slice(1).filter(({ status }) => status === 'succeeded'))
        expect((await backups.admin.delete(`/api/v1/backups/${older.id}`)).status).toBe(204);
      const dump = await withoutOneTable(await backups.download(newest.id as string));
      const file = path.join(
        backups.folder,
        backups.stored().find((name) => name.includes(newest.id as string))!,
      );
      await forgeDump(backups.bed.panel.api.app, { backupId: newest.id as string, file, dump }, panelDatabase);
      expect((await backups.admin.post(`/api/v1/backups/${newest.id}/verify`)).status).toBe(202);
      const disproven = await backups.settled(newest.id as string);
      expect(disproven.verification).toMatchObject({
        status: 'failed',
        errorMessage: expect.stringContaining('present in the manifest but not on disk'),
      });
      const broken = await backups.until(window, ({ problem }) => problem !== null);
      expect(broken).toMatchObject({
        from: null,
        problem: expect.stringMatching(/^The copy of all data failed [^:]+: It could not be restored in a trial\. /),
      });
      const refused = await backups.admin.post(`/api/v1/services/${id}/restore`, { backupId: newest.id });
      expect(refused.status).toBe(409);
      await panelDatabase.query(`update backups.wal_streams set copy_failed_at = copy_failed_at - interval '1 hour'`);
      const whole = await backups.until(ship, isWhole);
      expect(Date.parse(whole.from as string)).toBeGreaterThan(Date.parse(newest.finishedAt as string));
      expect((await copies())[0]).toMatchObject({ verification: { status: 'verified' } });
    },
    180_000,
  );

  itRarely(
    'begins a new window when the clock of the server was set back, because times would be ambiguous',
    async () => {
      const before = await backups.until(ship, isWhole);
      // As if the clock had been an hour ahead until now.
      await panelDatabase.query(
        `update backups.wal_streams set reaches_to = now() + interval '1 hour', quiet_xid = null`,
      );
      const broken = await backups.until(ship, ({ problem }) => problem !== null);
      expect(broken).toMatchObject({
        from: null,
        to: null,
        problem: expect.stringMatching(/clock .* set back by \d+ s/),
      });
      const whole = await backups.until(ship, isNewAfter(before));
      expect(Date.parse(whole.to as string)).toBeLessThanOrEqual(Date.now());
    },
    60_000,
  );

  it('detects a gap when it occurs, and begins a new window', async () => {
    const before = await backups.until(ship, isWhole);
    const archive = '/var/lib/postgresql/data/wal_archive';
    const lose = `until ls ${archive} | grep -q '^0'; do sleep 0.1; done; rm ${archive}/0*`;
    // The log must not be shipped meanwhile.
    const lease = `insert into backups.wal_leases values ($1, gen_random_uuid(), now() + interval '1 minute')`;
    await backups.until(
      () => panelDatabase.query(lease, [id]).catch(() => null),
      (taken) => taken !== null,
    );
    await sql('create table lost as select 1');
    await sql('select pg_switch_wal()');
    await backups.bed.run(id, ['sh', '-c', lose]);
    await panelDatabase.query('delete from backups.wal_leases');
    const broken = await backups.until(ship, ({ problem, from }) => problem !== null || from !== before.from);
    expect(broken.problem ?? 'begun anew').toMatch(/^The archived log lacks the segment [0-9A-F]{24}\.$/);
    await backups.until(ship, isNewAfter(before));
  }, 120_000);

  it('can be restored although its server is gone', async () => {
    const at = await now();
    await backups.until(ship, ({ to }) => Date.parse(to as string) >= at.getTime());
    const rows = await sql('select count(*) from writes');
    await engineRequest('DELETE', `/containers/${(await backups.bed.container(id)).Id}?force=1&v=1`);
    const restore = await restoredAt(at);
    expect(restore).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await sql('select count(*) from writes', restore.serviceId)).toBe(rows);
    expect(await sql('select count(*) from lost', restore.serviceId)).toBe('1');
  }, 180_000);

  it('is removed with a service that is deleted with its backups', async () => {
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
