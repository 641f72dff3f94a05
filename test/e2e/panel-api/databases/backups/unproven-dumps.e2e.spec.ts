import path from 'node:path';
import pg from 'pg';
import { forgeDump } from '../../../../support/backups/forged-dump.js';
import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

const HOST = ['-h', '127.0.0.1', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];

describeWithDatabases('A dump of PostgreSQL in the place of another', () => {
  let backups: BackupBed;
  let id: string;
  let panelDatabase: pg.Client;

  const sql = async (text: string) => {
    const environment = { PGPASSWORD: await backups.passwordOf(id) };
    return backups.bed.run(id, ['psql', ...HOST, '-U', 'shop', '-d', 'shop', '-c', text], environment);
  };
  const fileOf = ({ id: backupId }: { id: string }) => path.join(backups.folder, 'services', id, `${backupId}.age`);
  const forge = (record: { id: string }, dump: Buffer) =>
    forgeDump(backups.bed.panel.api.app, { backupId: record.id, file: fileOf(record), dump }, panelDatabase);
  /** Verifies a backup whose stored object has been replaced with another dump. */
  const proofOf = async (record: { id: string }, dump: Buffer) => {
    await forge(record, dump);
    await backups.admin.post(`/api/v1/backups/${record.id}/verify`);
    return (await backups.settled(record.id)).verification as { status: string; errorMessage: string };
  };

  beforeAll(async () => {
    backups = await BackupBed.start();
    panelDatabase = new pg.Client({ connectionString: backups.bed.panel.api.database.url });
    await panelDatabase.connect();
    id = await backups.deployPostgresql('Shop');
    await sql(`create table orders (id bigint generated always as identity primary key, note text);
      insert into orders (note) select repeat('x', g % 50) from generate_series(1, 5000) g;
      select lo_put(lo_create(4711), 5000, 'a large object with a hole in front');`);
  }, BED_START_MS);

  afterAll(async () => {
    await panelDatabase?.end();
    await backups?.close();
  });

  it('does not verify a dump that the restore tool cannot read, or one with the same number of rows and other contents', async () => {
    const record = await backups.backUp(id);
    const dump = await backups.download(record.id as string);
    const unreadable = await proofOf(record, dump.subarray(0, Math.floor(dump.length / 2)));
    expect([unreadable.status, unreadable.errorMessage]).toEqual([
      'failed',
      expect.stringMatching(/pg_restore ended with 1/),
    ]);
    expect((await backups.admin.post(`/api/v1/services/${id}/restore`, { backupId: record.id })).body.error.code).toBe(
      'invalid_state',
    );
    await sql("update orders set note = 'other' where id = (select max(id) from orders)");
    await sql('create role reader');
    const later = await backups.backUp(id);
    expect(later.notes).toEqual(['The server has other roles, which are not in this backup: reader.']);
    expect(await proofOf(record, await backups.download(later.id as string))).toMatchObject({
      status: 'failed',
      errorMessage: 'The restored copy has other contents in public.orders than the dump.',
    });
    expect(await backups.trials()).toEqual([]);
  }, 180_000);

  it('does not verify a dump with another large object or another value of a sequence', async () => {
    const first = await backups.backUp(id);
    expect(first.verification).toMatchObject({ status: 'verified', compared: 'contents' });
    await sql("select lo_put(4711, 5000, 'b')");
    const second = await backups.backUp(id);
    await sql("select setval('orders_id_seq', 99999)");
    const third = await backups.backUp(id);
    expect(await proofOf(first, await backups.download(second.id as string))).toMatchObject({
      status: 'failed',
      errorMessage: 'The restored copy has other contents in large objects than the dump.',
    });
    const moved = await proofOf(second, await backups.download(third.id as string));
    expect([moved.status, moved.errorMessage]).toEqual([
      'failed',
      expect.stringMatching(/^The sequence public\.orders_id_seq .* 99999/),
    ]);
  }, 180_000);
});
