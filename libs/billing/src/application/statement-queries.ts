import { Injectable } from '@nestjs/common';
import { PartnerAccount } from '#libs/partners';
import { BillingDate } from '#kernel/time/calendar-date';
import { BillingPeriod } from '#kernel/time/billing-period';
import { Clock } from '#kernel/time/clock';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { statementFileName, type ExportFormat } from '../domain/statements/statement-file.js';
import { FiguresStore, type StoredLine } from './ports/figures-store.js';
import { StatementRepository, type StatementFilter, type StatementRecord } from './ports/statement-repository.js';
import { renderPages } from './statement-pages.js';
import { CsvRendering, JsonRendering } from './statement-rendering.js';
import { statementView, type StatementView } from './statement-view.js';

export interface StatementExport {
  readonly fileName: string;
  /** SHA-256 of the whole file, fixed when the statement was finalized; null if it never was. */
  readonly sha256: Buffer | null;
  readonly content: AsyncGenerator<Buffer>;
}

/** Reads statements. Only staff see drafts; partners get NotFound. */
@Injectable()
export class StatementQueries {
  constructor(
    private readonly statements: StatementRepository,
    private readonly store: FiguresStore,
    private readonly clock: Clock,
  ) {}

  /** The JSON of the partner's current month. Before its first computation it has only the dates. */
  async currentUsage(account: PartnerAccount): Promise<AsyncGenerator<Buffer>> {
    const period = BillingPeriod.containing(BillingDate.of(this.clock.now()));
    const record = await this.statements.latest(account, period);
    const { computedAt } = record?.statement.state ?? { computedAt: null };
    const totals = record?.figures.totals ?? [];
    const lines = record ? await this.store.lines(record.figures.number) : [];
    const rendering = new JsonRendering((json) => json.openUsage(period, computedAt, totals));
    return renderPages(this.store, record?.figures.number ?? 0, lines, rendering);
  }

  /** Finalized and superseded ones, latest month and revision first. */
  async list(account: PartnerAccount): Promise<StatementView[]> {
    return (await this.statements.listLocked(account)).map(statementView);
  }

  /** @throws NotFound for a draft and for somebody else's statement */
  async export(account: PartnerAccount, id: Uuid, format: ExportFormat): Promise<StatementExport> {
    const record = await this.locked(account, id);
    const { state } = record.statement;
    const file = format === 'csv' ? 'csv' : state.status === 'superseded' ? 'json-superseded' : 'json-finalized';
    const rendering =
      format === 'csv' ? new CsvRendering(state) : JsonRendering.ofStatement(state, record.figures.totals);
    return {
      fileName: statementFileName(state, format),
      sha256: await this.statements.digest(id, file),
      content: renderPages(this.store, record.figures.number, await this.lines(record), rendering),
    };
  }

  /** @throws NotFound for a draft and for somebody else's statement */
  async locked(account: PartnerAccount, id: Uuid): Promise<StatementRecord> {
    const record = await this.statements.find(account, id);
    if (!record || record.statement.state.status === 'draft') throw new NotFound();
    return record;
  }

  lines(record: StatementRecord): Promise<StoredLine[]> {
    return this.store.lines(record.figures.number);
  }

  /** For staff: all states, by month (latest first), partner and revision. */
  async listAll(filter: StatementFilter): Promise<StatementView[]> {
    return (await this.statements.list(filter)).map(statementView);
  }

  /**
   * For staff: any statement, including drafts, with its JSON.
   * @throws NotFound if there is no such statement
   */
  async show(id: Uuid): Promise<{ statement: StatementView; lines: StoredLine[]; json: AsyncGenerator<Buffer> }> {
    const owner = await this.statements.ownerOf(id);
    const record = owner && (await this.statements.find(PartnerAccount.of(owner), id));
    if (!record) throw new NotFound();
    const lines = await this.lines(record);
    const rendering = JsonRendering.ofStatement(record.statement.state, record.figures.totals);
    const json = renderPages(this.store, record.figures.number, lines, rendering);
    return { statement: statementView(record), lines, json };
  }

  /** Partners that may have something to bill in the month, by id. */
  billablePartners(period: BillingPeriod): Promise<Uuid[]> {
    return this.statements.billablePartners(period);
  }
}
