import type { TemplateInput } from '../template.js';
import { cacheGb, mongodb } from './mongodb/index.js';
import { mysql } from './mysql/index.js';
import { memorySettings } from './postgresql/settings.js';
import { qdrant } from './qdrant/index.js';
import { maxMemoryMb } from './redis/index.js';

const input: TemplateInput = { serviceName: 'db', database: 'app', user: 'app', memoryMb: 512, cpuCores: 2 };

describe('the tuning of a database', () => {
  it.each([
    [256, 64, 192, 16, 25, 2],
    [512, 128, 384, 32, 51, 2],
    [1024, 256, 768, 64, 102, 2],
    [4096, 1024, 3072, 256, 200, 5],
  ])('PostgreSQL in %i MB', (memoryMb, shared, cache, maintenance, connections, work) => {
    expect(memorySettings({ memoryMb })).toEqual({
      sharedBuffersMb: shared,
      effectiveCacheSizeMb: cache,
      maintenanceWorkMemMb: maintenance,
      maxConnections: connections,
      workMemMb: work,
    });
  });

  it('Redis leaves memory for rewriting its file', () => {
    expect([128, 256, 512, 4096].map((memoryMb) => maxMemoryMb({ memoryMb }))).toEqual([51, 128, 256, 2048]);
  });

  it('MongoDB gets its cache size', () => {
    expect([512, 1024, 4096].map((memoryMb) => cacheGb({ memoryMb }))).toEqual([0.25, 0.25, 1.5]);
  });
});

describe("the requirements of the vendors' documentation", () => {
  it('MySQL 8.4 is started without removed flags', () => {
    const { command } = mysql.recipe(input);
    const flags = (command ?? []).join(' ');
    expect(flags).toContain('--authentication-policy=*:caching_sha2_password,,');
    expect(flags).toContain('--collation-server=utf8mb4_unicode_ci');
    expect(flags).toContain('--log-bin=binlog');
    expect(flags).not.toMatch(/default-authentication-plugin|mysql-native-password|innodb-log-file-size/);
  });

  it('MongoDB 7 gets no journal flag, and is probed where its temporary server does not listen', () => {
    const { command, probe, files } = mongodb.recipe(input);
    expect((command ?? []).join(' ')).not.toContain('journal');
    expect(probe.test.join(' ')).toContain('$(hostname)');
    expect(files.every(({ uid, mode }) => uid === 999 && mode === 0o400)).toBe(true);
    expect(mongodb.volumes.map(({ path }) => path)).toEqual(['/data/db', '/data/configdb']);
  });

  it('Qdrant gets its key in the environment, and /healthz must return 200', () => {
    const { environment, probe } = qdrant.recipe(input);
    expect(environment['QDRANT__SERVICE__API_KEY']).toEqual([{ secret: 'DB_PASSWORD' }]);
    expect(probe.test.join(' ')).toContain('GET /healthz');
    expect(qdrant.ports).toEqual([
      { port: 6333, protocol: 'http', exposure: 'https' },
      { port: 6334, protocol: 'grpc', exposure: 'internal' },
    ]);
    expect(qdrant.credentialsForAdminsAlone).toBe(true);
  });
});
