import type { MigrationInterface, QueryRunner } from 'typeorm';

const WAL = '^[0-9A-F]{24}$';
/** Beginning of the history, number of the file, when it was made, offset in it. */
const BINLOG = '^[0-9]{6}-[0-9]{10}-[0-9a-f]{8}-[0-9]{12}$';

/** The binary log of MariaDB and MySQL beside PostgreSQL's: a segment no longer tells by its name which one follows it. */
export class BinaryLogs1767225838000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table backups.wal_segments add column next text;
      update backups.wal_segments set next = left(name, 8) || upper(
        lpad(to_hex((('x' || lpad(substr(name, 9, 8), 16, '0'))::bit(64)::bigint * 256
          + ('x' || lpad(substr(name, 17, 8), 16, '0'))::bit(64)::bigint + 1) / 256), 8, '0') ||
        lpad(to_hex((('x' || lpad(substr(name, 17, 8), 16, '0'))::bit(64)::bigint + 1) % 256), 8, '0'));
      alter table backups.wal_segments
        alter column next set not null,
        drop constraint wal_segments_name_check,
        add constraint wal_segments_name_check check (name ~ '${WAL}' or name ~ '${BINLOG}'),
        add constraint wal_segments_next_check check (next ~ '${WAL}' or next ~ '${BINLOG}');
      alter table backups.wal_streams
        drop constraint wal_streams_next_segment_check,
        add constraint wal_streams_next_segment_check check (next_segment ~ '${WAL}' or next_segment ~ '${BINLOG}');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from backups.wal_segments where name !~ '${WAL}';
      delete from backups.wal_bases where first_segment !~ '${WAL}';
      delete from backups.wal_streams where next_segment !~ '${WAL}';
      alter table backups.wal_segments
        drop column next,
        drop constraint wal_segments_name_check,
        add constraint wal_segments_name_check check (name ~ '${WAL}');
      alter table backups.wal_streams
        drop constraint wal_streams_next_segment_check,
        add constraint wal_streams_next_segment_check check (next_segment ~ '${WAL}');
    `);
  }
}
