import { Injectable } from '@nestjs/common';
import type { PartnerAccount } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { BillingPeriod } from '#kernel/time/billing-period';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  StatementRepository,
  type StatementFilter,
  type StatementRecord,
} from '../application/ports/statement-repository.js';
import type { ExportedFile } from '../domain/statements/statement-file.js';
import type { Statement } from '../domain/statements/statement.js';
import { SELECT_STATEMENTS, toRecord, totalsColumn, type StatementRow } from './statement-rows.js';

@Injectable()
export class SqlStatementRepository extends StatementRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert({ statement: { state }, figures }: StatementRecord): Promise<void> {
    const { correction } = state;
    await this.transactions.writer.query(
      `insert into billing.statements
         (id, partner_id, period_start, revision, status, figures, computed_at, figures_hash, contents_hash, totals,
          supersedes_statement_id, correction_by, correction_at, correction_reason)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        state.id,
        state.partnerId,
        state.period.firstDay.toString(),
        state.revision,
        state.status,
        figures.number,
        state.computedAt,
        state.figuresHash,
        figures.contentsHash,
        totalsColumn(figures.totals),
        state.supersedesStatementId,
        correction?.by ?? null,
        correction?.at ?? null,
        correction?.reason ?? null,
      ],
    );
  }

  async update({ statement: { state }, figures, previousFigures }: StatementRecord): Promise<void> {
    const writer = this.transactions.writer;
    await writer.query(
      `update billing.statements
          set status = $2, figures = $3, previous_figures = $4, computed_at = $5, figures_hash = $6, contents_hash = $7,
              totals = $8, finalized_by = $9, finalized_at = $10
        where id = $1`,
      [
        state.id,
        state.status,
        figures.number,
        previousFigures,
        state.computedAt,
        state.figuresHash,
        figures.contentsHash,
        totalsColumn(figures.totals),
        state.finalizedBy,
        state.finalizedAt,
      ],
    );
    if (!state.needsCorrection)
      await writer.query('delete from billing.statement_flags where statement_id = $1', [state.id]);
  }

  async addReview({ state }: Statement): Promise<void> {
    const { id, review } = state;
    if (!review) throw new Error('the statement has no review');
    await this.transactions.writer.query(
      `insert into billing.reviews (statement_id, number, by, at, figures_hash)
       select $1, coalesce(max(number), 0) + 1, $2, $3, $4 from billing.reviews where statement_id = $1`,
      [id, review.by, review.at, review.figuresHash],
    );
  }

  async addDigests(id: Uuid, digests: ReadonlyMap<ExportedFile, Buffer>): Promise<void> {
    await this.transactions.writer.query(
      `insert into billing.statement_digests (statement_id, file, sha256)
       select $1, d.file, d.sha256 from unnest($2::text[], $3::bytea[]) as d (file, sha256)`,
      [id, [...digests.keys()], [...digests.values()]],
    );
  }

  async digest(id: Uuid, file: ExportedFile): Promise<Buffer | null> {
    const rows: { sha256: Buffer }[] = await this.transactions.reader.query(
      'select sha256 from billing.statement_digests where statement_id = $1 and file = $2',
      [id, file],
    );
    return rows[0]?.sha256 ?? null;
  }

  async latest(account: PartnerAccount, period: BillingPeriod): Promise<StatementRecord | null> {
    const where = 's.partner_id = $1 and s.period_start = $2 order by s.revision desc limit 1';
    return (await this.select(where, [account.partnerId, period.firstDay.toString()]))[0] ?? null;
  }

  async find(account: PartnerAccount, id: Uuid): Promise<StatementRecord | null> {
    return (await this.select('s.partner_id = $1 and s.id = $2', [account.partnerId, id]))[0] ?? null;
  }

  listLocked(account: PartnerAccount): Promise<StatementRecord[]> {
    const where = `s.partner_id = $1 and s.status <> 'draft' order by s.period_start desc, s.revision desc`;
    return this.select(where, [account.partnerId]);
  }

  list({ partnerId, period, needsCorrection }: StatementFilter): Promise<StatementRecord[]> {
    return this.select(
      `($1::uuid is null or s.partner_id = $1) and ($2::date is null or s.period_start = $2)
         and (not $3 or exists (select 1 from billing.statement_flags f where f.statement_id = s.id))
       order by s.period_start desc, s.partner_id, s.revision`,
      [partnerId, period?.firstDay.toString() ?? null, needsCorrection],
    );
  }

  async ownerOf(id: Uuid): Promise<Uuid | null> {
    const rows: { partner_id: Uuid }[] = await this.transactions.reader.query(
      'select partner_id from billing.statements where id = $1',
      [id],
    );
    return rows[0]?.partner_id ?? null;
  }

  async billablePartners(period: BillingPeriod): Promise<Uuid[]> {
    const rows: { partner_id: Uuid }[] = await this.transactions.reader.query(
      `select partner_id from billing.contracts
        union select partner_id from billing.statements where period_start = $1
        order by partner_id`,
      [period.firstDay.toString()],
    );
    return rows.map((row) => row.partner_id);
  }

  async flag(days: ReadonlyMap<Uuid, BillingDate>, since: Date): Promise<void> {
    await this.transactions.writer.query(
      `insert into billing.statement_flags (statement_id, since)
       select s.id, $3
         from unnest($1::uuid[], $2::date[]) as late (partner_id, day)
         join billing.statements s on s.partner_id = late.partner_id and s.status = 'finalized'
          and s.period_start + interval '1 month' > late.day
       on conflict do nothing`,
      [[...days.keys()], [...days.values()].map(String), since],
    );
  }

  private async select(where: string, values: unknown[]): Promise<StatementRecord[]> {
    const rows: StatementRow[] = await this.transactions.reader.query(`${SELECT_STATEMENTS} where ${where}`, values);
    return rows.map(toRecord);
  }
}
