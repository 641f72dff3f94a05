import { writeFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { staffCli } from '../../../../support/processes/staff-cli.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

const SNAPSHOTS = '/qdrant/snapshots';

/** Runs against a stub that makes and recovers snapshots as Qdrant's documentation describes it (docs/backups.md). */
describeWithDatabases('Backups of Qdrant, on a stub of its API', () => {
  let backups: BackupBed;
  let id: string;
  let record: any;

  const ask = async (method: string, target: string, body: object | null = null, serviceId = id): Promise<any> => {
    const script =
      'exec 3<>/dev/tcp/127.0.0.1/6333; printf "%s %s HTTP/1.1\\r\\napi-key: %s\\r\\nContent-Length: %d\\r\\n\\r\\n%s" ' +
      '"$METHOD" "$TARGET" "$KEY" "${#BODY}" "$BODY" >&3; cat <&3 | tail -n 1';
    const BODY = body === null ? '' : JSON.stringify(body);
    const KEY = await backups.passwordOf(serviceId);
    return JSON.parse(
      await backups.bed.run(serviceId, ['bash', '-c', script], { METHOD: method, TARGET: target, BODY, KEY }),
    );
  };
  const put = (collection: string, from: number, to: number) =>
    ask('PUT', `/collections/${collection}/points?wait=true`, {
      points: Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, vector: [0.1, 0.2] })),
    });
  const count = async (collection: string, serviceId = id) =>
    (await ask('POST', `/collections/${collection}/points/count`, { exact: true }, serviceId)).result?.count;
  const files = (serviceId = id) => backups.bed.run(serviceId, ['find', SNAPSHOTS, '-type', 'f']);
  const restore = async (body: object) => {
    const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, body);
    if (asked.status !== 202) throw new Error(asked.text);
    return backups.until(
      async () => (await backups.admin.get(`/api/v1/restores/${asked.body.restoreId}`)).body,
      ({ status }) => status === 'succeeded' || status === 'failed',
    );
  };

  beforeAll(async () => {
    backups = await BackupBed.startForStub();
    await backups.bed.publish('qdrant', 'qdrant/qdrant:v1.15.1');
    id = await backups.bed.deploy('qdrant', { name: 'Vectors', resourceLimits: { memoryMb: 1024 } });
    await backups.bed.untilDone(id);
    for (const name of ['books', 'two%20words'])
      await ask('PUT', `/collections/${name}`, { vectors: { size: 2, distance: 'Dot' } });
    await put('books', 1, 300);
    await put('two%20words', 1, 7);
    await ask('POST', '/collections/aliases', {
      actions: [{ create_alias: { alias_name: 'current', collection_name: 'books' } }],
    });
  }, BED_START_MS);

  afterAll(() => backups?.close());

  it('copies a snapshot of the whole storage, verifies it, and leaves none in the server', async () => {
    await ask('POST', '/snapshots');
    const own = await files();
    record = await backups.backUp(id);
    expect(record).toMatchObject({
      kind: 'snapshot',
      status: 'succeeded',
      errorMessage: null,
      databaseVersion: '1.15.1',
      notes: [],
      verification: { status: 'verified', objects: 3, rows: 307, errorMessage: null },
    });
    // A snapshot that somebody else has made must not be touched either.
    expect(await files()).toBe(own);
    expect(await backups.trials()).toEqual([]);
    const cli = await staffCli(backups.settings(), ['backups', 'list', '--service', id, '--json']);
    expect(cli.json.map(({ id: backupId }: { id: string }) => backupId)).toContain(record.id);
  }, 120_000);

  it('does not compare points when some were written during the snapshot, and says so', async () => {
    await backups.bed.run(id, ['touch', '/tmp/hold-snapshot']);
    const asked = await backups.admin.post(`/api/v1/services/${id}/backups`);
    await backups.until(
      () => backups.bed.run(id, ['ls', '/tmp']),
      (names) => names.includes('snapshot-held'),
    );
    await put('books', 301, 301);
    await backups.bed.run(id, ['rm', '/tmp/snapshot-held']);
    const busy = await backups.settled(asked.body.backupId as string);
    expect(busy).toMatchObject({ status: 'succeeded', verification: { status: 'verified', objects: 3, rows: null } });
    expect(busy.notes).toEqual([expect.stringContaining('written while the snapshot was taken')]);
  }, 120_000);

  it('replaces collections and aliases of the same service, also with another configuration, and restores into a new one', async () => {
    await ask('DELETE', '/collections/books');
    await ask('PUT', '/collections/books', { vectors: { size: 99, distance: 'Cosine' } });
    await ask('PUT', '/collections/later', { vectors: { size: 2, distance: 'Dot' } });
    expect(await restore({ backupId: record.id, into: 'same', confirm: 'Vectors' })).toMatchObject({
      status: 'succeeded',
      errorMessage: null,
    });
    expect([await count('books'), await count('two%20words'), await count('later')]).toEqual([300, 7, undefined]);
    expect((await ask('GET', '/aliases')).result.aliases).toEqual([
      { alias_name: 'current', collection_name: 'books' },
    ]);
    expect(await files()).not.toContain('.panel');
    const copy = await restore({ backupId: record.id, name: 'Vectors of then' });
    expect(copy).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect([
      await count('books', copy.serviceId),
      (await ask('GET', '/collections/books/points/300', null, copy.serviceId)).result.id,
    ]).toEqual([300, 300]);
    await backups.admin.delete(`/api/v1/services/${copy.serviceId}`);
  }, 180_000);

  it('puts the old storage back when a collection cannot be recovered, and reports the server’s error', async () => {
    await put('books', 1000, 1009);
    await backups.bed.run(id, ['sh', '-c', 'printf 2 > /tmp/recoveries-left']);
    expect(await restore({ backupId: record.id, into: 'same', confirm: 'Vectors' })).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringMatching(/Qdrant answered with 500: Service internal error/),
    });
    expect([await count('books'), await count('two%20words')]).toEqual([310, 7]);
    expect((await ask('GET', '/aliases')).result.aliases).toHaveLength(1);
    expect(await files()).not.toContain('.panel');
  }, 180_000);

  it('does not restore a snapshot into a server whose version cannot read it', async () => {
    const database = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await database.connect();
    try {
      await database.query('update services.template_services set server_version = $2 where service_id = $1', [
        ...[id, '1.17.0'],
      ]);
      const body = { backupId: record.id, into: 'same', confirm: 'Vectors' };
      expect((await backups.admin.post(`/api/v1/services/${id}/restore`, body)).body.error).toMatchObject({
        code: 'backup_version_unsupported',
        message: expect.stringContaining('1.15 and 1.16 only; the server is 1.17.0'),
      });
    } finally {
      await database.end();
    }
  });

  it('detects a stored snapshot that was changed, when it is verified again', async () => {
    const file = path.join(
      backups.folder,
      backups.stored().find((name) => name.includes(record.id as string))!,
    );
    const bytes = readFileSync(file);
    bytes[bytes.length - 40]! ^= 1;
    writeFileSync(file, bytes);
    await backups.admin.post(`/api/v1/backups/${record.id}/verify`);
    expect(await backups.settled(record.id as string)).toMatchObject({ status: 'failed' });
    expect((await backups.admin.post(`/api/v1/services/${id}/restore`, { backupId: record.id })).status).toBe(409);
  }, 120_000);
});
