import { mayMount, SmallDisk } from '../../../../support/backups/small-disk.js';
import { describeWithDatabases } from '../../../../support/databases/database-images.js';
import { BackupBed } from '../../../../support/services/backup-bed.js';
import { BED_START_MS } from '../../../../support/services/template-bed.js';

if (!mayMount) process.stderr.write('skipped: a full disk of a database: mounting a small file system needs root\n');

describeWithDatabases('Backups of a Redis whose disk is full', () => {
  let backups: BackupBed;
  let id: string;
  let disk: SmallDisk | undefined;

  const redis = async (...args: string[]) =>
    backups.bed.run(id, ['redis-cli', '-e', ...args], { REDISCLI_AUTH: await backups.passwordOf(id) });
  const inContainer = (script: string) => backups.bed.attempt(id, ['sh', '-c', script]);
  const left = async () => (await inContainer('find /data -name "panel-*" -o -name "temp-*"')).stdout.trim();
  beforeAll(async () => {
    if (!mayMount) return;
    backups = await BackupBed.start();
    await backups.bed.publish('redis', 'library/redis:7.4-bookworm');
    id = await backups.bed.deploy('redis', { name: 'Cache', variables: { SERVICE_NAME: 'cache' } });
    await backups.bed.untilDone(id);
    disk = await SmallDisk.under(backups, id, '/data', '24m');
    await redis('CONFIG', 'SET', 'rdbcompression', 'no');
    await redis('EVAL', "for i = 1, 1500 do redis.call('SET', 'k' .. i, string.rep('x', 4000)) end", '0');
  }, BED_START_MS);

  afterAll(async () => {
    disk?.unmount();
    await backups?.close();
  }, 120_000);

  (mayMount ? it : it.skip)(
    'a backup and a restore fail and say why, leave nothing, and an earlier backup comes back once there is room',
    async () => {
      const { id: backupId } = await backups.backUp(id);
      const stored = backups.stored();
      disk!.fill(1_000);
      const failed = await backups.backUp(id);
      expect(failed).toMatchObject({ status: 'failed', sizeBytes: null });
      expect(failed.errorMessage).toMatch(/the snapshot was not written: .* are free on the disk/);
      expect([backups.stored(), await left()]).toEqual([stored, '']);
      disk!.clear();
      // Redis takes no writes after a snapshot that failed, until the next one.
      expect(await backups.backUp(id)).toMatchObject({ status: 'succeeded' });
      // What is there from now on fits onto what is left of the disk, and the backup does not.
      await redis('FLUSHALL');
      await redis('SET', 'small', '1');
      await redis('BGREWRITEAOF');
      await backups.until(
        () => redis('INFO', 'persistence'),
        (said) => said.includes('aof_rewrite_in_progress:0') && said.includes('aof_rewrite_scheduled:0'),
      );
      disk!.fill(2_000);
      const body = { backupId, into: 'same', confirm: 'Cache' };
      const asked = await backups.admin.post(`/api/v1/services/${id}/restore`, body);
      const refused = await backups.restored(asked.body.restoreId as string);
      expect([refused.status, refused.errorMessage]).toEqual([
        'failed',
        expect.stringMatching(/No space left on device/),
      ]);
      expect([await redis('DBSIZE'), await redis('GET', 'small'), await left()]).toEqual(['1', '1', '']);
      disk!.clear();
      const again = await backups.admin.post(`/api/v1/services/${id}/restore`, body);
      expect(await backups.restored(again.body.restoreId as string)).toMatchObject({ status: 'succeeded' });
      expect([await redis('DBSIZE'), await redis('STRLEN', 'k1500')]).toEqual(['1500', '4000']);
    },
    240_000,
  );
});
