import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { Conflict } from '#kernel/errors';
import { LINE_TYPES, type LineType } from '../../application/import/import-line.js';
import {
  ImportStaging,
  type LineCount,
  type ProblemSample,
  type StagedLine,
} from '../../application/import/ports/import-staging.js';
import { LineReferences } from './line-references.js';
import { lineRanges } from './line-ranges.js';
import { sampled, SAMPLE, type SampleRow } from './problem-samples.js';
import { stagingTable, tableOf } from './staging-tables.js';

/** The advisory lock that allows only one import at a time. */
export const IMPORT_LOCK = 7_402_115_004;

/** Staging tables are temporary tables of the transaction: a process that dies leaves nothing behind. */
@Injectable()
export class SqlImportStaging extends ImportStaging {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly references: LineReferences,
  ) {
    super();
  }

  async begin(): Promise<void> {
    const [{ mine }] = await this.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      IMPORT_LOCK,
    ]);
    if (!mine) throw new Conflict('import-running', 'Another import is running. Wait until it has ended.');
    await this.query('set local statement_timeout = 0');
    await this.query('set local idle_in_transaction_session_timeout = 0');
    for (const type of LINE_TYPES) await this.query(stagingTable(type));
    await this.query('create temp table import_unreadable (type text, ref text) on commit drop');
  }

  async add(lines: readonly StagedLine[]): Promise<void> {
    for (const type of LINE_TYPES) {
      const rows = lines.filter((line) => line.type === type);
      if (rows.length === 0) continue;
      await this.query(
        `insert into ${tableOf(type)} select * from json_populate_recordset(null::${tableOf(type)}, $1)`,
        [JSON.stringify(rows)],
      );
    }
  }

  async addUnreadable(names: readonly { readonly type: LineType; readonly ref: string }[]): Promise<void> {
    if (names.length === 0) return;
    await this.query(
      'insert into pg_temp.import_unreadable select * from json_populate_recordset(null::pg_temp.import_unreadable, $1)',
      [JSON.stringify(names)],
    );
  }

  async identify(): Promise<ProblemSample[]> {
    for (const type of ['event', 'transfer'] as const) await this.nameByContent(type);
    const samples: ProblemSample[] = [];
    for (const type of LINE_TYPES) {
      await this.index(type);
      samples.push(await this.namedTwice(type), await this.changed(type));
      await this.markKnown(type);
    }
    return [...samples, ...(await this.takenTwice())];
  }

  resolve(): Promise<void> {
    return this.references.resolve();
  }

  lockReferences(): Promise<void> {
    return this.references.lock();
  }

  check(): Promise<ProblemSample[]> {
    return this.references.check();
  }

  async counts(): Promise<LineCount[]> {
    const counts = LINE_TYPES.map(
      (type) => `select '${type}' as type, (count(*) filter (where known))::integer as skipped,
                        (count(*) filter (where known is not true))::integer as fresh from ${tableOf(type)}`,
    );
    return this.query<LineCount>(counts.join(' union all '));
  }

  async remember(at: Date): Promise<void> {
    for (const type of LINE_TYPES) {
      for await (const [from, to] of lineRanges(this.transactions, type)) {
        await this.query(
          `insert into licensing.imported_lines (type, ref, line_hash, record_id, imported_at)
           select '${type}', ref, decode(hash, 'hex'), id, $3 from ${tableOf(type)}
            where line between $1 and $2 and known is not true`,
          [from, to, at],
        );
      }
    }
  }

  /** A line without a name is identified by its contents and by the number of equal lines before it. */
  private async nameByContent(type: 'event' | 'transfer'): Promise<void> {
    await this.query(
      `update ${tableOf(type)} s set ref = named.ref
         from (select line, hash || '#' || row_number() over (partition by hash order by line) as ref
                 from ${tableOf(type)} where ref is null) named
        where s.line = named.line and s.ref is null`,
    );
  }

  private async index(type: LineType): Promise<void> {
    await this.query(`create index on ${tableOf(type)} (ref)`);
    await this.query(`create index on ${tableOf(type)} (line)`);
    await this.query(`create index on ${tableOf(type)} (id)`);
    await this.query(`analyze ${tableOf(type)}`);
  }

  private namedTwice(type: LineType): Promise<ProblemSample> {
    return this.sample(
      `select line, count(*) over () as total
         from (select line, row_number() over (partition by ref order by line) as nth from ${tableOf(type)}) s
        where nth > 1`,
      'ref is used by another line of this type',
    );
  }

  private changed(type: LineType): Promise<ProblemSample> {
    return this.sample(
      `select s.line, count(*) over () as total
         from ${tableOf(type)} s join licensing.imported_lines m on m.type = '${type}' and m.ref = s.ref
        where m.line_hash <> decode(s.hash, 'hex')`,
      'ref was imported before with different contents',
    );
  }

  private async markKnown(type: LineType): Promise<void> {
    for await (const [from, to] of lineRanges(this.transactions, type)) {
      await this.query(
        `update ${tableOf(type)} s set known = true, id = m.record_id
           from licensing.imported_lines m
          where s.line between $1 and $2 and m.type = '${type}' and m.ref = s.ref`,
        [from, to],
      );
    }
  }

  /** A key, like an upstream record, belongs to one license. */
  private async takenTwice(): Promise<ProblemSample[]> {
    const fresh = `${tableOf('license')} where known is not true`;
    const twice = (column: string) => `
      select line, count(*) over () as total
        from (select line, row_number() over (partition by "${column}" order by line) as nth
                from ${fresh} and "${column}" is not null) s where nth > 1`;
    const stored = (column: string, taken: string) => `
      select s.line, count(*) over () as total from (select * from ${fresh}) s
       where s."${column}" is not null and exists (${taken})`;
    const key = 'select 1 from license_service.licenses l where l.key_hash = decode(s."keyHash", \'hex\')';
    const upstream = `select 1 from licensing.licenses l where l.upstream_license_id = s."upstreamLicenseId"
      union all select 1 from license_service.licenses l where l.id = s."upstreamLicenseId"`;
    return [
      await this.sample(twice('keyHash'), 'key is used by another line'),
      await this.sample(stored('keyHash', key), 'key belongs to another license'),
      await this.sample(twice('upstreamLicenseId'), 'upstreamLicenseId is used by another line'),
      await this.sample(stored('upstreamLicenseId', upstream), 'upstreamLicenseId belongs to another license'),
    ];
  }

  private async sample(sql: string, message: string): Promise<ProblemSample> {
    return sampled(await this.query<SampleRow>(`${sql} order by line limit ${SAMPLE}`), message);
  }

  private query<R = unknown>(sql: string, values: readonly unknown[] = []): Promise<[R, ...R[]]> {
    return this.transactions.writer.query(sql, [...values]);
  }
}
