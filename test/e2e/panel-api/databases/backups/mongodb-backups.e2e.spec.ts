import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

const IMAGE = 'library/mongo:7.0-jammy';
/** Image of a real server, if there is one; the same tests then run against it. */
const REAL = process.env.TEST_MONGO_IMAGE ?? '';
const BEFORE_TOOLS = '/usr/local/sbin';
const ODD = 'two words.and (3 documents)';
const NAMES = ['books', 'cheap', 'panel_created', 'sessions', ODD];

/**
 * Runs against stubs of MongoDB's programs unless TEST_MONGO_IMAGE names an image with the real ones (docs/backups.md).
 */
describeWithDatabases(`Backups of MongoDB, ${REAL === '' ? 'on stubs of its programs' : `of ${REAL}`}`, () => {
  let backups: BackupBed;
  let id: string;
  let record: any;

  /** Output of a mongosh script that runs in the database of the service. */
  const shell = async (script: string, serviceId = id): Promise<string> =>
    backups.bed.run(
      serviceId,
      [
        ...['mongosh', '--quiet', '--norc', 'mongodb://127.0.0.1:27017/admin', '--eval'],
        `db.getSiblingDB('admin').auth('shop', process.env.PASSWORD); const own = db.getSiblingDB('shop'); ${script}`,
      ],
      { PASSWORD: await backups.passwordOf(serviceId) },
    );
  const answer = async (expression: string, serviceId = id): Promise<any> =>
    JSON.parse((await shell(`print(JSON.stringify(${expression}))`, serviceId)).split('\n').at(-1)!);
  const figures = async (serviceId = id): Promise<any> => {
    const one = (name: string) => answer(`own.getCollection('${name}').countDocuments({})`, serviceId);
    return { books: await one('books'), odd: await one(ODD), cheap: await one('cheap') };
  };
  /** Collections and views, without those of the server. */
  const namesOf = async (serviceId = id): Promise<string[]> => {
    const names: string[] = await answer('own.getCollectionInfos().map(({ name }) => name)', serviceId);
    return names.filter((name) => !name.startsWith('system.')).sort();
  };
  const restore = async (body: object, serviceId = id) => {
    const asked = await backups.admin.post(`/api/v1/services/${serviceId}/restore`, body);
    if (asked.status !== 202) throw new Error(asked.text);
    return backups.restored(asked.body.restoreId as string);
  };
  /** Replaces a tool of the image with a script that calls it. */
  const wrap = (tool: string, script: string) =>
    backups.bed.run(id, [
      ...['sh', '-c', 'mkdir -p "${0%/*}" && printf "%s\\n" "$1" > "$0" && chmod 755 "$0"'],
      ...[
        `${BEFORE_TOOLS}/${tool}`,
        `#!/bin/sh\ntool() { PATH=/usr/local/bin:/usr/bin:/bin ${tool} "$@"; }\n${script}`,
      ],
    ]);
  const unwrap = (tool: string) => backups.bed.run(id, ['rm', '-f', `${BEFORE_TOOLS}/${tool}`]);

  beforeAll(async () => {
    backups = REAL === '' ? await BackupBed.startForStub() : await BackupBed.start();
    if (REAL === '') await backups.bed.publish('mongo', IMAGE, ['ENV TEST_INIT_DELAY=1']);
    else await backups.bed.publishFrom(REAL, IMAGE);
    const variables = { SERVICE_NAME: 'shop-db', DB_NAME: 'shop', DB_USER: 'shop' };
    id = await backups.bed.deploy('mongodb', { name: 'Shop', variables });
    await backups.bed.untilDone(id);
    await shell(`
      db.adminCommand({ setParameter: 1, ttlMonitorEnabled: false });
      const books = [];
      for (let at = 1; at <= 300; at += 1) books.push({ _id: at, isbn: 'isbn ' + at, price: at % 10 });
      own.getCollection('books').insertMany(books);
      own.getCollection('books').createIndex({ isbn: 1 }, { unique: true });
      own.getCollection('${ODD}').insertOne({ _id: 1 });
      own.getCollection('sessions').createIndex({ at: 1 }, { expireAfterSeconds: 1 });
      own.getCollection('sessions').insertMany([{ _id: 1, at: new Date(0) }, { _id: 2, at: new Date(0) }]);
      own.createView('cheap', 'books', [{ $match: { price: 1 } }]);
      own.createUser({ user: 'reader', pwd: 'reader-of-books', roles: [] });
      db.getSiblingDB('other').getCollection('things').insertOne({ _id: 1 });`);
  }, BED_START_MS);

  afterAll(() => backups?.close());

  it('dumps an archive that lists its contents, verifies it with expired documents, and names what is left out', async () => {
    await wrap('mongodump', `cat /proc/[0-9]*/cmdline /proc/$$/environ | tr '\\0' '\\n' > /tmp/seen\ntool "$@"`);
    record = await backups.backUp(id);
    await unwrap('mongodump');
    expect(record).toMatchObject({ kind: 'dump', status: 'succeeded', errorMessage: null });
    expect(record.databaseVersion).toMatch(/^7\.0\.\d+$/);
    // Four collections including that of the template, a view, and six indexes, one of them unique and one a TTL index.
    expect(record.verification).toMatchObject({
      ...{ status: 'verified', errorMessage: null, compared: 'counts' },
      ...{ objects: 4 + 1 + 6 + 1 + 1, rows: 303 },
    });
    expect(record.notes).toEqual([
      expect.stringContaining('one after the other'),
      expect.stringContaining('databases, which are not in this backup: other'),
      expect.stringContaining('users and roles, which are not in this backup: reader'),
    ]);
    expect(await backups.trials()).toEqual([]);
    const seen = await backups.bed.run(id, ['cat', '/tmp/seen']);
    expect(seen).toContain('--authenticationDatabase');
    expect(seen).not.toContain(await backups.passwordOf(id));
  }, 180_000);

  it('keeps no dump whose program failed late, and does not verify a truncated one even if the program reports success', async () => {
    const kept = backups.stored().length;
    await wrap('mongodump', 'tool "$@"; exit 1');
    expect(await backups.backUp(id)).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringMatching(/ended with 1/),
    });
    expect(backups.stored()).toHaveLength(kept);
    await wrap('mongodump', 'tool "$@" | head -c -60');
    const cut = await backups.backUp(id);
    expect(cut).toMatchObject({ status: 'succeeded', verification: { status: 'failed' } });
    expect(cut.verification.errorMessage).toMatch(/ended with \d+: .*Failed: /);
    expect((await backups.admin.post(`/api/v1/services/${id}/restore`, { backupId: cut.id })).status).toBe(409);
    await unwrap('mongodump');
  }, 180_000);

  it('does not verify a dump with one document less than reported, and ignores figures that it cannot read', async () => {
    const telling = (change: string) => wrap('mongodump', `{ tool "$@" 2>&1 1>&4 | sed '${change}' >&2; } 4>&1`);
    await telling('s/(300 documents)/(301 documents)/');
    expect((await backups.backUp(id)).verification).toMatchObject({
      status: 'failed',
      errorMessage: 'mongorestore restored 303 documents, the dump has 304.',
    });
    await telling('s/(300 documents)/(300 rows)/');
    const untold = await backups.backUp(id);
    expect(untold.verification).toMatchObject({ status: 'verified', rows: null });
    expect(untold.notes.at(-1)).toContain('mongodump did not tell the documents of each collection');
    await unwrap('mongodump');
  }, 180_000);

  it('replaces collections, indexes and views of the same service, and expires documents again afterwards', async () => {
    await shell(`
      own.getCollection('books').deleteMany({ price: 1 });
      own.getCollection('cheap').drop();
      own.getCollection('${ODD}').drop();
      own.getCollection('later').insertOne({ _id: 1 });
      own.createView('late', 'later', []);`);
    await wrap('mongorestore', `cat /proc/[0-9]*/cmdline /proc/$$/environ | tr '\\0' '\\n' > /tmp/seen\ntool "$@"`);
    const restored = await restore({ backupId: record.id, into: 'same', confirm: 'Shop' });
    await unwrap('mongorestore');
    expect(restored).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await figures()).toEqual({ books: 300, odd: 1, cheap: 30 });
    expect(await namesOf()).toEqual(NAMES);
    await expect(shell(`own.getCollection('books').insertOne({ _id: 1000, isbn: 'isbn 1' })`)).rejects.toThrow(
      /E11000/,
    );
    const seen = await backups.bed.run(id, ['cat', '/tmp/seen']);
    expect(seen).toContain('--nsInclude');
    expect(seen).not.toContain(await backups.passwordOf(id));
    await backups.until(
      () => answer(`own.getCollection('sessions').countDocuments({})`),
      (left) => left === 0,
    );
  }, 180_000);

  it('puts the old collections back when they cannot be replaced, and reports the reason', async () => {
    await shell(
      `own.getCollection('books').deleteMany({ price: 1 }); own.getCollection('later').insertOne({ _id: 1 });`,
    );
    const broken = `sed "s/  const bare = /  throw new Error('no space left'); const bare = /"`;
    await wrap('mongosh', `tool "$1" "$2" "$3" "$4" "$(printf '%s' "$5" | ${broken})"`);
    const failed = await restore({ backupId: record.id, into: 'same', confirm: 'Shop' });
    await unwrap('mongosh');
    expect(failed).toMatchObject({ status: 'failed', errorMessage: expect.stringContaining('no space left') });
    expect(await figures()).toEqual({ books: 270, odd: 1, cheap: 0 });
    expect(await namesOf()).toEqual([...NAMES, 'later'].sort());
  }, 180_000);

  it('verifies time series, and restores them only into a new service, which has its own credentials', async () => {
    await shell(`
      own.createCollection('heat', { timeseries: { timeField: 'at' } });
      own.getCollection('heat').insertMany([{ at: new Date(1000), degrees: 1 }, { at: new Date(2000), degrees: 2 }]);`);
    const series = await backups.backUp(id);
    expect(series.verification).toMatchObject({ status: 'verified', errorMessage: null });
    const body = { backupId: series.id, into: 'same', confirm: 'Shop' };
    expect((await backups.admin.post(`/api/v1/services/${id}/restore`, body)).body.error).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('can rename neither time series'),
    });
    // The present data would be lost if the restore failed.
    expect(await restore({ ...body, backupId: record.id })).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('can rename neither time series'),
    });
    expect(await answer(`own.getCollection('heat').countDocuments({})`)).toBe(2);
    const copy = await restore({ backupId: series.id, name: 'Shop of then' });
    expect(copy).toMatchObject({ status: 'succeeded', errorMessage: null });
    expect(await answer(`own.getCollection('heat').countDocuments({})`, copy.serviceId)).toBe(2);
    expect(await figures(copy.serviceId)).toEqual(await figures());
    expect(await namesOf(copy.serviceId)).toEqual(await namesOf());
    expect(await backups.passwordOf(copy.serviceId)).not.toBe(await backups.passwordOf(id));
    await backups.admin.delete(`/api/v1/services/${copy.serviceId}`);
  }, 300_000);

  it('refuses a restore to a moment', async () => {
    const policy = { schedule: '0 3 * * *', keepDaily: 7, keepWeekly: 4, keepMonthly: 3, verify: true, pitr: true };
    const url = `/api/v1/services/${id}/backup-policy`;
    expect((await backups.admin.call('PUT', url, { body: policy })).status).toBe(422);
  });

  it('dumps with a password that was changed', async () => {
    expect((await backups.admin.post(`/api/v1/services/${id}/credentials/rotate`)).status).toBe(200);
    expect(await backups.backUp(id)).toMatchObject({ status: 'succeeded', verification: { status: 'verified' } });
  }, 120_000);

  it('reports when the image has no mongodump', async () => {
    await backups.bed.run(id, ['sh', '-c', 'rm -f "$(command -v mongodump)"']);
    expect(await backups.backUp(id)).toMatchObject({
      status: 'failed',
      errorMessage: 'sh ended with 127: the image has no mongodump',
    });
  }, 120_000);
});
