import type { TemplateInput } from '../../template.js';
import { bufferPoolMb } from '../../tuning.js';

const MAX_CHUNK_MB = 128;

export function serverFlags({ memoryMb }: Pick<TemplateInput, 'memoryMb'>): readonly string[] {
  const poolMb = bufferPoolMb(memoryMb, 0.25);
  const isSmall = memoryMb < 1024;
  return [
    '--default-storage-engine=InnoDB',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    '--server-id=1',
    '--log-bin=binlog',
    '--binlog-expire-logs-seconds=259200',
    '--max-binlog-size=128M',
    '--sync-binlog=1',
    // Rows are logged, not statements, so that users without SUPER may create triggers and functions.
    '--loose-log-bin-trust-function-creators=1',
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    // Not --default-authentication-plugin: 8.4 does not start with it.
    '--authentication-policy=*:caching_sha2_password,,',
    `--innodb-buffer-pool-size=${poolMb}M`,
    `--innodb-buffer-pool-chunk-size=${Math.min(poolMb, MAX_CHUNK_MB)}M`,
    `--innodb-redo-log-capacity=${isSmall ? 64 : 256}M`,
    '--innodb-flush-log-at-trx-commit=1',
    '--temptable-max-ram=64M',
    '--mysqlx=OFF',
    ...(isSmall ? ['--performance-schema=OFF', '--max-connections=60'] : []),
  ];
}
