import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { LogRound, StoredBackupChecks } from '#libs/backups';
import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { lookAgain } from '../../../support/look-again.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const CHANGED = 'What lies in the store is not what was put there.';
const BYTES = 4_000;
const VERIFIED = JSON.stringify({
  ...{ status: 'verified', verifiedAt: '2026-05-01T03:00:00Z', durationSeconds: 1, objects: 1, rows: 1 },
  ...{ compared: 'counts', errorMessage: null, attempts: 1 },
});
const segmentName = (n: number) => `0000000100000000${n.toString(16).padStart(8, '0').toUpperCase()}`;

describe('what was changed in the store by hand', () => {
  let folder: string;
  let api: RunningPanelApi;
  let database: pg.Client;
  let admin: HttpClient;
  let key: string;
  let service: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'stored-contents-'));
    const settings = { DOCKER_HOST: 'unix:///nowhere/docker.sock', LOG_LEVEL: 'error', BACKUP_DIR: folder };
    api = await startPanelApi({ settings });
    database = new pg.Client(api.database.url);
    await database.connect();
    key = await anAdminKey(api.app);
    admin = api.as(key);
  });
  afterAll(async () => {
    await database?.end();
    await api?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => (service = await aDatabase()));

  async function aDatabase(): Promise<string> {
    const templates = (await admin.get('/api/v1/templates')).body.data as { id: string; slug: string }[];
    const template = templates.find(({ slug }) => slug === 'postgresql')!.id;
    const name = `shop-${randomBytes(4).toString('hex')}`;
    const variables = { SERVICE_NAME: name, DB_NAME: 'shop', DB_USER: 'shop' };
    const deployed = await admin.post(`/api/v1/templates/${template}/deploy`, { name, variables });
    return deployed.body.serviceId as string;
  }

  const fileOf = (storeKey: string) => path.join(folder, storeKey);
  /** @returns its hash */
  function stored(storeKey: string): string {
    const content = randomBytes(BYTES);
    mkdirSync(path.dirname(fileOf(storeKey)), { recursive: true });
    writeFileSync(fileOf(storeKey), content);
    return createHash('sha256').update(content).digest('hex');
  }

  async function aBackup(ageHours: number, kind: 'dump' | 'base' = 'dump') {
    const id = randomUUID();
    const storeKey = `services/${service}/${kind === 'base' ? `base/${id}.tar.gz.age` : `${id}.age`}`;
    const origin = { serviceName: 'Shop', template: 'postgresql', hostName: 'db', database: 'shop', user: 'shop' };
    const sha256 = stored(storeKey);
    await database.query(
      `insert into backups.backups (id, service_id, kind, trigger, status, origin, store_key, size_bytes, sha256,
         verification, created_at, finished_at)
       values ($1, $2, $3, 'manual', 'succeeded', $4, $5, $6, $7, $8, now() - $9 * interval '1 hour', now())`,
      [id, service, kind, JSON.stringify(origin), storeKey, BYTES, sha256, VERIFIED, ageHours],
    );
    return { id, storeKey, sha256, file: fileOf(storeKey) };
  }
  const record = async (id: string) => (await admin.get(`/api/v1/backups/${id}`)).body;
  const LOST = { status: 'failed', verification: { status: 'failed' } };

  it('is found by the daily reading of the newest backups, and the one before it takes its place', async () => {
    const [older, newer] = [await aBackup(2), await aBackup(1)];
    writeFileSync(newer.file, randomBytes(BYTES));
    const checks = api.app.get(StoredBackupChecks, { strict: false });
    expect(await checks.newest(AbortSignal.timeout(60_000))).toBe(1);
    expect(await record(newer.id)).toMatchObject({ ...LOST, errorMessage: CHANGED });
    expect((await record(older.id)).status).toBe('succeeded');
    const { rows } = await database.query(
      `select data from services.feed where type = 'backup.status' and service_id = $1`,
      [service],
    );
    expect(rows).toEqual([{ data: expect.objectContaining({ backupId: newer.id, status: 'failed' }) }]);
  });

  const WAYS: readonly (readonly [string, (file: string) => void, string])[] = [
    ['cut off', (file) => truncateSync(file, BYTES / 2), CHANGED],
    ['replaced', (file) => writeFileSync(file, randomBytes(BYTES)), CHANGED],
    ['removed', (file) => rmSync(file), 'The backup is no longer in the store.'],
  ];
  it.each(WAYS)(
    'and %s: a download does not end, and from then on the backup has failed',
    async (_, change, reason) => {
      for (const query of ['', '?sealed=true']) {
        const { id, file } = await aBackup(1);
        change(file);
        const url = `${api.url}/api/v1/backups/${id}/download${query}`;
        const download = async () => {
          const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
          if (answer.status !== 200) throw new Error(String(answer.status));
          return answer.arrayBuffer();
        };
        await expect(download()).rejects.toThrow();
        for (const since = Date.now(); Date.now() - since < 5_000 && (await record(id)).status !== 'failed';)
          await lookAgain(Date.now() - since);
        expect(await record(id)).toMatchObject({ ...LOST, errorMessage: reason });
        await expect(download()).rejects.toThrow('409');
        const asked = await admin.post(`/api/v1/services/${service}/restore`, { backupId: id });
        expect([asked.status, asked.body.error.code]).toEqual([409, 'invalid_state']);
      }
    },
  );

  /** A log of four segments from a copy on. @returns the files */
  async function aLog(): Promise<{ readonly copy: string; readonly segments: readonly string[] }> {
    await database.query(
      `insert into backups.policies (service_id, keep_daily, keep_weekly, keep_monthly, verify, pitr, updated_at)
       values ($1, 1, 1, 1, 'never', true, now())`,
      [service],
    );
    await database.query(
      `insert into backups.wal_streams (service_id, next_segment, reaches_to, needs_base) values ($1, $2, now(), false)`,
      [service, segmentName(5)],
    );
    const { id, storeKey: copy, sha256, file } = await aBackup(1, 'base');
    await database.query(
      `insert into backups.wal_bases (id, service_id, store_key, sha256, size_bytes, first_segment, ended_at)
       values ($1, $2, $3, $4, $5, $6, now() - interval '1 hour')`,
      [id, service, copy, sha256, BYTES, segmentName(1)],
    );
    const segments: string[] = [];
    for (const n of [1, 2, 3, 4]) {
      const storeKey = `services/${service}/log/${segmentName(n)}.gz.age`;
      await database.query(
        `insert into backups.wal_segments (service_id, name, next, sha256, size_bytes, marked_at)
         values ($1, $2, $3, $4, $5, now())`,
        [service, segmentName(n), segmentName(n + 1), stored(storeKey), BYTES],
      );
      segments.push(fileOf(storeKey));
    }
    return { copy: file, segments };
  }
  type Log = Awaited<ReturnType<typeof aLog>>;
  const window = async () => (await admin.get(`/api/v1/services/${service}/recovery-window`)).body;
  const check = (by: 'sizes' | 'contents') =>
    api.app.get(LogRound, { strict: false }).check(by, AbortSignal.timeout(60_000), (_, error) => {
      throw error;
    });

  const SEGMENT = new RegExp(`^The segment ${segmentName(2)} of the archived log is no longer in the store, or was`);
  const PARTS: readonly (readonly ['sizes' | 'contents', string, (log: Log, other: Log) => void, RegExp])[] = [
    ['sizes', 'is missing', ({ segments }) => rmSync(segments[1]!), SEGMENT],
    ['sizes', 'is cut off', ({ segments }) => truncateSync(segments[1]!, 100), SEGMENT],
    [
      'contents',
      "was taken for another service's",
      ({ segments }, other) => copyFileSync(other.segments[1]!, segments[1]!),
      SEGMENT,
    ],
    [
      'contents',
      "is a copy that was taken for another service's",
      ({ copy }, other) => copyFileSync(other.copy, copy),
      /The copy is no longer in the store, or was changed there/,
    ],
  ];
  it.each(PARTS)(
    'by %s, a part of a log that %s: the window ends, and its owner is told',
    async (by, _, change, told) => {
      const other = await aLog();
      const [whole, wholeService] = [await window(), service];
      expect(whole).toMatchObject({ from: expect.any(String), problem: null });
      service = await aDatabase();
      const log = await aLog();
      change(log, other);
      await check(by);
      expect(await window()).toMatchObject({ from: null, problem: expect.stringMatching(told) });
      const { rows } = await database.query(
        `select data from services.feed where type = 'backup.status' and service_id = $1`,
        [service],
      );
      const broken = { recovery: expect.objectContaining({ status: 'broken' }) };
      expect(rows).toContainEqual({ data: expect.objectContaining(broken) });
      service = wholeService;
      expect(await window()).toEqual(whole);
    },
  );
});
