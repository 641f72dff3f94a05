import { Injectable } from '@nestjs/common';
import type { NamedStatement } from '#platform/database/batching/named-statement';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  FiguresStore,
  type FiguresWriter,
  type PrintedPart,
  type StoredLine,
  type StoredPart,
} from '../application/ports/figures-store.js';
import type { BillingContract } from '../domain/contracts/contract.js';
import type { PricingModel } from '../domain/contracts/pricing-model.js';
import { CopyingFiguresWriter } from './copying-figures-writer.js';
import { lastLicense, parsePage, parsePrinted, parseStored } from './part-page.js';

/** Parts read at once. */
const PAGE = 2_000;
/** Parts yielded at once. Processing them blocks the event loop. */
const PIECE = 250;

/** A page is one text, because the driver would need seconds for a million rows of several columns. */
const pageOf = (name: string, events = ''): NamedStatement => ({
  name,
  text: `
  select count(*)::int as size, coalesce(string_agg(
           p.license_id || E'\\t' || p.days || E'\\t' || p.amount_cents || E'\\t' || ${events}
             translate(p.key_masked, E'\\n', ' '), E'\\n' order by p.license_id), '') as text
    from (select * from billing.statement_parts
           where figures = $1 and position = $2 and license_id > $3 order by license_id limit ${PAGE}) p`,
});

const PRINTED = pageOf('printed-parts');
const STORED = pageOf('stored-parts', `array_to_string(p.event_ids, ',') || E'\\t' ||`);

interface LineRow {
  readonly position: number;
  readonly contract_id: Uuid;
  readonly model: PricingModel;
  readonly currency: string;
  readonly quantity: number;
  readonly unit_price_cents: string;
  readonly amount_cents: string;
  readonly billed_days: string;
  readonly pack_size: number | null;
  readonly pack_drawn: number | null;
  readonly pack_drawn_in_period: number | null;
  readonly valid_from: string;
  readonly valid_to: string | null;
}

@Injectable()
export class SqlFiguresStore extends FiguresStore {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async begin(contracts: readonly BillingContract[]): Promise<FiguresWriter> {
    const { writer } = this.transactions;
    const [row] = await writer.query<[{ number: number }]>(
      `select nextval('billing.figures_numbers')::float8 as number`,
    );
    return new CopyingFiguresWriter(writer, row.number, contracts);
  }

  async remove(figures: number): Promise<void> {
    await this.transactions.writer.query('delete from billing.statement_parts where figures = $1', [figures]);
    await this.transactions.writer.query('delete from billing.statement_lines where figures = $1', [figures]);
  }

  async lines(figures: number): Promise<StoredLine[]> {
    const rows: LineRow[] = await this.transactions.reader.query(
      `select position, contract_id, model, currency, quantity, unit_price_cents, amount_cents, billed_days, pack_size,
              pack_drawn, pack_drawn_in_period, valid_from::text as valid_from, valid_to::text as valid_to
         from billing.statement_lines where figures = $1 order by position`,
      [figures],
    );
    return rows.map(toLine);
  }

  async *printedParts(figures: number, position: number): AsyncGenerator<readonly PrintedPart[]> {
    for await (const text of this.pages(PRINTED, figures, position)) yield* parsePage(text, parsePrinted, PIECE);
  }

  async *storedParts(figures: number, position: number): AsyncGenerator<readonly StoredPart[]> {
    for await (const text of this.pages(STORED, figures, position)) yield* parsePage(text, parseStored, PIECE);
  }

  private async *pages(statement: NamedStatement, figures: number, position: number): AsyncGenerator<string> {
    let after: string | null = BEFORE_EVERY_ID;
    // No read-ahead: it would keep two cores busy, and a small machine has no more for others.
    while (after !== null) {
      // Uses the driver directly, because TypeORM keeps results in memory too long.
      const rows: Page[] = await this.transactions.atOnce<Page>(statement, [figures, position, after]);
      const { size, text } = rows[0]!;
      after = size < PAGE ? null : lastLicense(text);
      yield text;
    }
  }
}

interface Page {
  readonly size: number;
  readonly text: string;
}

/** Sorts before every license id. */
const BEFORE_EVERY_ID = '00000000-0000-0000-0000-000000000000';

function toLine(row: LineRow): StoredLine {
  const { pack_size: size, pack_drawn: drawn, pack_drawn_in_period: drawnInPeriod } = row;
  const isPack = size !== null && drawn !== null && drawnInPeriod !== null;
  return {
    position: row.position,
    contractId: row.contract_id,
    model: row.model,
    currency: row.currency,
    quantity: row.quantity,
    unitPriceCents: Number(row.unit_price_cents),
    amountCents: Number(row.amount_cents),
    billedDays: Number(row.billed_days),
    pack: isPack ? { size, drawn, drawnInPeriod, remaining: Math.max(0, size - drawn) } : null,
    validFrom: row.valid_from,
    validTo: row.valid_to,
  };
}
