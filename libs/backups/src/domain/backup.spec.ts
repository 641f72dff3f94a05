import type { Uuid } from '#kernel/crypto/uuid';
import { Backup } from './backup.js';
import type { BackupOrigin } from './backup-state.js';

const AT = new Date('2026-05-01T08:30:00.000Z');
const ORIGIN: BackupOrigin = {
  ...{
    serviceName: 'Shop',
    template: 'postgresql',
    hostName: 'db',
    database: 'shop',
    user: 'shop',
    image: 'postgres:16',
  },
  ...{ imageId: null, cpuCores: 1, memoryMb: 512, diskMb: 1024 },
};
const copied = (format = 'tar') =>
  Backup.copied({
    ...{ id: 'b' as Uuid, serviceId: 's' as Uuid, customerId: null, origin: ORIGIN, databaseVersion: '16.1' },
    ...{ storeKey: `services/s/base/b.${format}.gz.age`, sizeBytes: 10, sha256: '0'.repeat(64) },
    ...{ startedAt: AT, finishedAt: AT },
  });

describe('A base backup', () => {
  it('is known of once it is whole, and awaits no trial before log was shipped', () => {
    expect(copied().state).toMatchObject({
      kind: 'base',
      trigger: 'schedule',
      status: 'succeeded',
      verification: null,
    });
  });

  it('is downloaded under a name that says what it is', () => {
    expect([copied().format, copied('sql').format]).toEqual(['.tar.gz', '.sql.gz']);
  });

  it('replaces no data, and was compared with nothing', () => {
    const backup = copied();
    expect(() => backup.assertCanReplace()).toThrow('into');
    backup.askForProof();
    backup.beginProof();
    backup.prove({ objects: { table: 2 }, rows: { a: 3 } }, 1, AT);
    expect(backup.state.verification).toMatchObject({ status: 'verified', objects: 2, rows: 3, compared: null });
  });
});

describe('A backup that is removed', () => {
  it.each([
    ['waits for its verification', (backup: Backup) => backup.askForProof()],
    ['is being verified', (backup: Backup) => (backup.askForProof(), backup.beginProof())],
  ])('no longer %s', (_, begin) => {
    const backup = copied();
    begin(backup);
    backup.expire();
    expect(backup.state).toMatchObject({ status: 'expired', verification: { status: 'skipped' } });
  });
});
