import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { KillableWorker } from '../../../support/backups/killable-worker.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { clockAhead, itWithShiftedClocks } from '../../../support/processes/shifted-clock.js';
import { BackupBed } from '../../../support/services/backup-bed.js';
import type { PanelProcess } from '../../../support/services/panel-process.js';
import { BED_START_MS } from '../../../support/services/template-bed.js';

const HOST = ['-h', '127.0.0.1', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];
const DAY_MS = 86_400_000;
/** Longer than the pause between two checks of the schedules and of expired backups. */
const TWO_LOOKS_MS = 6_000;

describeWithDatabases('Backups by workers whose clocks jump', () => {
  let backups: BackupBed;
  let worker: KillableWorker;
  let panelDatabase: pg.Client;
  let id: string;

  const sql = async (text: string) => {
    const environment = { PGPASSWORD: await backups.passwordOf(id) };
    return backups.bed.run(id, ['psql', ...HOST, '-U', 'shop', '-d', 'shop', '-c', text], environment);
  };
  const read = async (url: string) => (await backups.admin.get(`/api/v1/${url}`)).body;
  const policy = () => read(`services/${id}/backup-policy`);
  const window = () => read(`services/${id}/recovery-window`);
  const records = async () => (await read(`services/${id}/backups?pageSize=100`)).data as Record<string, string>[];
  const scheduled = async () =>
    (await records()).filter(({ trigger, kind }) => trigger === 'schedule' && kind === 'dump');
  const kept = async () => (await records()).filter(({ status }) => status === 'succeeded').map((one) => one.id);
  const planFor = (time: string) => panelDatabase.query(`update backups.policies set next_run_at = ${time}`);

  beforeAll(async () => {
    backups = await BackupBed.start();
    panelDatabase = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await panelDatabase.connect();
    id = await backups.deployPostgresql('Shop');
    await sql('create table rows as select n from generate_series(1, 100) n');
    const body = { schedule: '0 3 * * *', keepDaily: 1, keepWeekly: 0, keepMonthly: 0, verify: 'weekly', pitr: true };
    const set = await backups.admin.call('PUT', `/api/v1/services/${id}/backup-policy`, { body });
    if (set.status !== 200) throw new Error(set.text);
    // The schedule must not run by itself if the test runs across three o'clock.
    await planFor(`now() + interval '12 hours'`);
    await backups.backUp(id);
    await backups.backUp(id);
    await backups.until(window, ({ from }) => from !== null);
    worker = await KillableWorker.start(backups.bed.panel);
  }, BED_START_MS);

  afterAll(async () => {
    await worker?.close();
    await panelDatabase?.end();
    await backups?.close();
  }, 120_000);

  itWithShiftedClocks(
    '40 days ahead: one run is made up, its record has the true time, nothing expires, and the log goes on',
    async () => {
      const [before, { from, to }] = [await kept(), await window()];
      await worker.replace(clockAhead(40));
      const [made] = await backups.until(scheduled, ({ length }) => length > 0);
      await sleep(TWO_LOOKS_MS);
      expect(await scheduled()).toHaveLength(1);
      const record = await backups.settled(made!.id!);
      expect(record.status).toBe('succeeded');
      const times = [record.createdAt, record.startedAt, record.finishedAt].map((time) => Date.parse(time as string));
      expect(Math.max(...times)).toBeLessThan(Date.now() + 60_000);
      expect(await kept()).toEqual(expect.arrayContaining(before));
      await sql('insert into rows values (0)');
      const later = await backups.until(window, (one) => one.to > to);
      expect(later).toMatchObject({ from, problem: null });
      expect(Date.parse(later.to as string)).toBeLessThan(Date.now() + 60_000);
      expect(Date.parse((await policy()).nextRunAt as string)).toBeGreaterThan(Date.now() + 39 * DAY_MS);
    },
    120_000,
  );

  itWithShiftedClocks(
    'back again: the worker starts, and the schedule goes on from today',
    async () => {
      const before = await scheduled();
      await worker.replace();
      await backups.until(policy, ({ nextRunAt }) => Date.parse(nextRunAt as string) < Date.now() + DAY_MS);
      expect(await scheduled()).toEqual(before);
      expect(await window()).toMatchObject({ problem: null });
    },
    60_000,
  );

  itWithShiftedClocks(
    'workers that disagree: missed runs are made up by one backup, and none takes over what another is at',
    async () => {
      await planFor(`now() + interval '12 hours'`);
      const before = await scheduled();
      const others: PanelProcess[] = [];
      for (const days of [-1, 40]) others.push(await backups.bed.panel.startWorkerProcess(clockAhead(days)));
      try {
        const lock = sql('begin; lock table rows in access exclusive mode; select pg_sleep(60)').catch(() => null);
        await backups.until(
          () => sql("select count(*) from pg_locks where mode = 'AccessExclusiveLock'"),
          (count) => count !== '0',
        );
        await planFor(`now() - interval '3 days'`);
        const [made] = await backups.until(scheduled, ({ length }) => length > before.length);
        await sleep(TWO_LOOKS_MS);
        expect((await read(`backups/${made!.id}`)).status).toBe('running');
        await sql(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%'
          and pid <> pg_backend_pid()`);
        await lock;
        expect(await backups.settled(made!.id!)).toMatchObject({ status: 'succeeded', errorMessage: null });
        await sleep(TWO_LOOKS_MS);
        expect(await scheduled()).toHaveLength(before.length + 1);
      } finally {
        for (const one of others) await one.end();
      }
    },
    120_000,
  );
});
