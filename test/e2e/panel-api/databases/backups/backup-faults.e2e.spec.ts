import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { LogRound } from '#libs/backups';
import { holdRequest } from '../../../../support/backups/held-request.js';
import { BUCKET, type S3Stub, startS3 } from '../../../../support/backups/s3-stub.js';
import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import type { PanelProcess } from '../../../../support/services/panel-process.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

const HOST = ['-h', '127.0.0.1', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];
const S3 = { BACKUP_S3_BUCKET: BUCKET, BACKUP_S3_ACCESS_KEY_ID: 'id', BACKUP_S3_SECRET_ACCESS_KEY: 'secret' };
const DIED = 'The worker ended in the middle of the backup.';
const POLICY = { schedule: null, keepDaily: 7, keepWeekly: 4, keepMonthly: 3, verify: 'never', pitr: false };

const mayMount = process.getuid?.() === 0;
if (!mayMount) process.stderr.write('skipped: a full disk: mounting a small file system needs root\n');

describeWithDatabases('Backups whose worker is killed, or whose store fails', () => {
  let s3: S3Stub;
  let backups: BackupBed;
  let panelDatabase: pg.Client;
  let worker: PanelProcess;
  let id: string;

  const sql = async (text: string, serviceId = id) => {
    const environment = { PGPASSWORD: await backups.passwordOf(serviceId) };
    return backups.bed.run(serviceId, ['psql', ...HOST, '-U', 'shop', '-d', 'shop', '-c', text], environment);
  };
  const digest = (serviceId = id) => sql("select md5(string_agg(n || t, ',' order by n)) from rows", serviceId);
  const ask = async () => (await backups.admin.post(`/api/v1/services/${id}/backups`)).body.backupId as string;
  const read = async (url: string) => (await backups.admin.get(`/api/v1/${url}`)).body;
  const restore = async (body: object) => {
    const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, body);
    if (asked.status !== 202) throw new Error(asked.text);
    return asked.body as { restoreId: string; preRestoreBackupId: string };
  };
  const restored = (restoreId: string) =>
    backups.until(
      () => read(`restores/${restoreId}`),
      ({ status }) => status === 'succeeded' || status === 'failed',
    );
  const setPolicy = (change: object) =>
    backups.admin.call('PUT', `/api/v1/services/${id}/backup-policy`, { body: { ...POLICY, ...change } });
  /** Without what a worker writes and removes again to check the store. */
  const inStore = async () => {
    const listed = await (await fetch(`${s3.endpoint}/${BUCKET}?list-type=2`)).text();
    return [...listed.matchAll(/<Key>(services\/[^<]+)<\/Key>/g)].map(([, key]) => key!);
  };
  const isFor = (method: string, part: string) => (request: IncomingMessage) =>
    request.method === method && Boolean(request.url?.includes(part));

  /** Starts another worker, as if the lease of the killed one had run out. */
  async function killWorker(): Promise<void> {
    await worker.end('SIGKILL');
    for (const table of ['backups', 'restores', 'wal_leases'])
      await panelDatabase.query(`update backups.${table} set leased_until = now() where leased_until is not null`);
    worker = await backups.bed.panel.startWorkerProcess();
  }

  beforeAll(async () => {
    s3 = await startS3();
    backups = await BackupBed.start({ BACKUP_S3_ENDPOINT: s3.endpoint, ...S3 });
    panelDatabase = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await panelDatabase.connect();
    id = await backups.deployPostgresql('Shop');
    await backups.bed.panel.stopWorkers();
    worker = await backups.bed.panel.startWorkerProcess();
    await sql('create table rows as select n, md5(n::text) as t from generate_series(1, 5000) n');
  }, BED_START_MS);

  afterAll(async () => {
    s3?.trick(null);
    await worker?.end();
    await panelDatabase?.end();
    await backups?.bed.panel.startWorker();
    await backups?.close();
    await s3?.close();
  }, 120_000);

  afterEach(() => s3.trick(null));

  it('while it dumps: the backup fails, and the next one is not held up by what was left behind', async () => {
    const lock = sql('begin; lock table rows in access exclusive mode; select pg_sleep(60)').catch(() => null);
    const waiting = `select count(*) from pg_locks where relation = 'rows'::regclass and not granted`;
    await backups.until(
      () => sql("select count(*) from pg_locks where mode = 'AccessExclusiveLock'"),
      (n) => n !== '0',
    );
    const backupId = await ask();
    await backups.until(
      () => sql(waiting),
      (count) => count !== '0',
    );
    await killWorker();
    expect(await backups.settled(backupId)).toMatchObject({ status: 'failed', errorMessage: DIED, sizeBytes: null });
    await sql(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%'
      and pid <> pg_backend_pid()`);
    await lock;
    expect((await backups.backUp(id)).verification).toMatchObject({ status: 'verified', compared: 'contents' });
  }, 120_000);

  it('while it stores: the backup fails, and nothing of it remains in the store', async () => {
    const before = await inStore();
    const held = holdRequest(s3, isFor('PUT', '/services/'));
    const backupId = await ask();
    await held.reached;
    await killWorker();
    held.letGo();
    expect(await backups.settled(backupId)).toMatchObject({ status: 'failed', errorMessage: DIED });
    expect(await inStore()).toEqual(before);
  }, 60_000);

  it('while it reads back the stored object: the backup fails, and the object is removed', async () => {
    const before = await inStore();
    const held = holdRequest(s3, isFor('GET', '/services/'));
    const backupId = await ask();
    await held.reached;
    expect(await inStore()).toHaveLength(before.length + 1);
    await killWorker();
    held.letGo();
    expect(await backups.settled(backupId)).toMatchObject({ status: 'failed', errorMessage: DIED });
    expect(await inStore()).toEqual(before);
  }, 60_000);

  it('while it verifies: the verification is repeated, and the trial server is removed', async () => {
    const held = holdRequest(s3, isFor('GET', '/services/'), 1);
    const backupId = await ask();
    await held.reached;
    expect((await read(`backups/${backupId}`)).verification.status).toBe('running');
    expect(await backups.trials()).toHaveLength(1);
    await killWorker();
    held.letGo();
    expect((await backups.settled(backupId)).verification).toMatchObject({ status: 'verified' });
    expect(await backups.trials()).toEqual([]);
  }, 120_000);

  it('during a restore into the same service: its data are unchanged', async () => {
    const [record] = (await read(`services/${id}/backups?status=succeeded`)).data;
    await setPolicy({ verify: 'never' });
    await sql("update rows set t = 'later' where n = 1");
    const before = await digest();
    // The store starts its answer and then stops: the worker waits half a minute for more.
    s3.trick((request, response) => {
      if (!isFor('GET', record.id as string)(request)) return false;
      response.writeHead(200, { 'content-length': '100000' }).flushHeaders();
      return true;
    });
    const { restoreId, preRestoreBackupId } = await restore({ backupId: record.id, into: 'same', confirm: 'Shop' });
    await backups.until(
      () => sql("select count(*) from pg_database where datname = 'panel_restoring'"),
      (count) => count === '1',
    );
    await killWorker();
    s3.trick(null);
    const failed = await restored(restoreId);
    expect([failed.status, failed.errorMessage]).toEqual([
      'failed',
      expect.stringMatching(/^The worker ended .* whole/),
    ]);
    expect(await digest()).toBe(before);
    expect(await sql("select count(*) from pg_database where datname like 'panel%'")).toBe('0');
    await backups.settled(preRestoreBackupId);
    const again = await restore({ backupId: record.id, into: 'same', confirm: 'Shop' });
    expect(await restored(again.restoreId)).toMatchObject({ status: 'succeeded' });
    expect(await sql("select count(*) from rows where t = 'later'")).toBe('0');
    await backups.settled(again.preRestoreBackupId);
  }, 180_000);

  const REFUSALS = [
    [403, 'the S3 store denies access (403)'],
    [503, 'the S3 store is not available (503)'],
    [507, 'the S3 store is not available (507)'],
  ] as const;

  it.each(REFUSALS)(
    'a store that answers %d: the backup has failed and says so',
    async (status, reason) => {
      const before = await inStore();
      s3.trick((request, response) => {
        if (request.method !== 'PUT') return false;
        request.resume().once('end', () => response.writeHead(status).end());
        return true;
      });
      const record = await backups.settled(await ask());
      expect(record).toMatchObject({ status: 'failed', errorMessage: `The destination of backups: ${reason}.` });
      expect(await inStore()).toEqual(before);
    },
    60_000,
  );

  it('a store that returns other bytes: a new backup fails at once, and an older one is marked as failed later', async () => {
    const before = await inStore();
    let honest = 0;
    s3.trick((request, response) => {
      if (!isFor('GET', '/services/')(request) || honest-- > 0) return false;
      response.writeHead(200, { 'content-length': '1000' }).end(randomBytes(1000));
      return true;
    });
    const atOnce = await backups.settled(await ask());
    expect(atOnce.status).toBe('failed');
    expect(atOnce.errorMessage).toMatch(/^The destination of backups: .*(bytes)/);
    expect(await inStore()).toEqual(before);
    await setPolicy({ verify: 'always' });
    honest = 1;
    const later = await backups.settled(await ask());
    expect(later).toMatchObject({
      status: 'failed',
      errorMessage: 'What lies in the store is not what was put there.',
      verification: { status: 'failed' },
    });
    const refused = await backups.admin.post(`/api/v1/services/${id}/restore`, { backupId: later.id });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
    // Nobody has looked at it before it is restored.
    await setPolicy({ verify: 'never' });
    honest = 1;
    const green = await backups.settled(await ask());
    expect(green.status).toBe('succeeded');
    const failed = { status: 'failed', errorMessage: 'What lies in the store is not what was put there.' };
    expect(await restored((await restore({ backupId: green.id })).restoreId)).toMatchObject(failed);
    expect(await read(`backups/${green.id}`)).toMatchObject(failed);
  }, 120_000);

  (mayMount ? it : it.skip)(
    'a full disk: the backup has failed, nothing is left on it, and the next one fits again',
    async () => {
      const mounted = mkdtempSync(path.join(tmpdir(), 'backup-full-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mounted]);
      await worker.end();
      const none = Object.fromEntries(Object.keys(S3).map((name) => [name, '']));
      worker = await backups.bed.panel.startWorkerProcess({ ...none, BACKUP_S3_ENDPOINT: '', BACKUP_DIR: mounted });
      const record = await backups.settled(await ask());
      await worker.end();
      const left = readdirSync(mounted, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      execFileSync('umount', [mounted]);
      await rm(mounted, { recursive: true });
      worker = await backups.bed.panel.startWorkerProcess();
      const errorMessage = 'The destination of backups: the disk of the backup directory is full.';
      expect([record.status, record.errorMessage, left]).toEqual(['failed', errorMessage, []]);
      expect(await backups.backUp(id)).toMatchObject({ status: 'succeeded' });
    },
    120_000,
  );

  it('while it ships the log: the window continues without a gap, and what was written meanwhile can be restored', async () => {
    const window = () => read(`services/${id}/recovery-window`);
    /** One round of the log worker, without waiting for its timer. */
    const ship = () =>
      backups.bed.panel.api.app
        .get(LogRound, { strict: false })
        .run(AbortSignal.timeout(60_000), () => undefined)
        .then(window);
    await setPolicy({ pitr: true });
    const first = await backups.until(ship, ({ from }) => from !== null);
    const held = holdRequest(s3, isFor('PUT', '/log/'));
    await sql("insert into rows values (5001, 'written while the log was shipped')");
    const at = new Date(Number(await sql('select ceil(extract(epoch from clock_timestamp()) * 1000)')) + 1);
    await held.reached;
    await killWorker();
    held.letGo();
    await sql("insert into rows values (5002, 'later')");
    const whole = await backups.until(ship, ({ to }) => Date.parse(to as string) > at.getTime());
    expect(whole).toMatchObject({ from: first.from, problem: null });
    const { restoreId } = await restore({ at: at.toISOString() });
    const done = await restored(restoreId);
    expect(done).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await sql('select max(n) || $$ $$ || count(*) from rows', done.serviceId as string)).toBe('5001 5001');
  }, 180_000);
});
