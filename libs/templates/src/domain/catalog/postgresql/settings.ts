import type { TemplateInput } from '../../template.js';
import { clamp } from '../../tuning.js';

type Sized = Pick<TemplateInput, 'memoryMb'>;

export interface MemorySettings {
  readonly sharedBuffersMb: number;
  readonly effectiveCacheSizeMb: number;
  readonly maintenanceWorkMemMb: number;
  readonly maxConnections: number;
  readonly workMemMb: number;
}

export function memorySettings({ memoryMb }: Sized): MemorySettings {
  const maxConnections = clamp(memoryMb / 10, 25, 200);
  return {
    sharedBuffersMb: Math.floor(memoryMb / 4),
    effectiveCacheSizeMb: Math.floor((memoryMb * 3) / 4),
    maintenanceWorkMemMb: clamp(memoryMb / 16, 16, 1024),
    maxConnections,
    workMemMb: clamp((memoryMb * 0.25) / maxConnections, 2, 64),
  };
}

/** The engine's default of 64 MB is too small for parallel queries. */
export function sharedMemoryMb({ memoryMb }: Sized): number {
  return Math.max(64, Math.floor(memoryMb / 4));
}

/** On the volume of the data. Segments are shipped from there. */
export const WAL_ARCHIVE = '/var/lib/postgresql/data/wal_archive';

/**
 * Archives a segment if the marker file exists, otherwise discards it, so that archiving can be switched on without a
 * restart. An already archived segment must be identical.
 */
const ARCHIVE_COMMAND =
  `a=${WAL_ARCHIVE}; test ! -f "$a/.enabled" || { if [ -f "$a/%f" ]; then cmp -s "%p" "$a/%f"; ` +
  `else cp "%p" "$a/%f.tmp" && sync "$a/%f.tmp" && mv "$a/%f.tmp" "$a/%f"; fi; }`;

export function serverSettings(input: Sized): Readonly<Record<string, string>> {
  const memory = memorySettings(input);
  return {
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track': 'all',
    track_io_timing: 'on',
    shared_buffers: `${memory.sharedBuffersMb}MB`,
    effective_cache_size: `${memory.effectiveCacheSizeMb}MB`,
    work_mem: `${memory.workMemMb}MB`,
    maintenance_work_mem: `${memory.maintenanceWorkMemMb}MB`,
    max_connections: String(memory.maxConnections),
    wal_level: 'replica',
    archive_mode: 'on',
    archive_timeout: '300',
    archive_command: ARCHIVE_COMMAND,
    wal_compression: 'on',
    max_wal_size: input.memoryMb < 1024 ? '256MB' : '1GB',
    min_wal_size: '80MB',
    checkpoint_completion_target: '0.9',
    autovacuum: 'on',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.02',
    log_min_duration_statement: '1000',
    random_page_cost: '1.1',
    password_encryption: 'scram-sha-256',
  };
}
