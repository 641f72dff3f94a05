import type { EntityManager } from 'typeorm';
import { Utf8Chunks } from '#kernel/text/utf8-buffer';
import type { Uuid } from '#kernel/crypto/uuid';
import type { FiguresWriter } from '../application/ports/figures-store.js';
import type { BillingContract } from '../domain/contracts/contract.js';
import type { StatementLine, StatementPart } from '../domain/statements/statement-line.js';
import { copyIn, copyText } from './copy-in.js';

/** In bytes. Larger writes are not faster. */
const FLUSH_AT = 1_000_000;

const PARTS = 'billing.statement_parts (figures, position, license_id, days, amount_cents, event_ids, key_masked)';
const LINES = `billing.statement_lines (figures, position, contract_id, model, currency, quantity, unit_price_cents,
  amount_cents, billed_days, pack_size, pack_drawn, pack_drawn_in_period, valid_from, valid_to)`;
const NULL = '\\N';

/** Stores figures by COPY, in the order in which they are computed. */
export class CopyingFiguresWriter implements FiguresWriter {
  readonly #contracts: ReadonlyMap<Uuid, BillingContract>;
  #position = 0;
  readonly #parts = new Utf8Chunks();
  readonly #lines = new Utf8Chunks();

  constructor(
    private readonly writer: EntityManager,
    readonly number: number,
    contracts: readonly BillingContract[],
  ) {
    this.#contracts = new Map(contracts.map((contract) => [contract.state.id, contract]));
  }

  part({ licenseId, days, amountCents, eventIds, keyMasked }: StatementPart): void {
    const key = copyText(keyMasked);
    this.#parts.add(
      `${this.number}\t${this.#position}\t${licenseId}\t${days}\t${amountCents}\t{${eventIds.join(',')}}\t${key}\n`,
    );
  }

  line(line: StatementLine): void {
    const { contractId, model, currency, quantity, unitPriceCents, amountCents, billedDays, pack } = line;
    const { validFrom, validTo } = this.#contracts.get(contractId)!.state;
    const counts = pack ? [pack.size, pack.drawn, pack.drawnInPeriod] : [NULL, NULL, NULL];
    const money = [quantity, unitPriceCents, amountCents, billedDays];
    const cells = [contractId, model, currency, ...money, ...counts, validFrom.toString(), validTo?.toString() ?? NULL];
    this.#lines.add(`${this.number}\t${this.#position++}\t${cells.join('\t')}\n`);
  }

  async flush(last = false): Promise<void> {
    if (last || this.#parts.size >= FLUSH_AT) await copyIn(this.writer, PARTS, this.#parts);
    if (last) await copyIn(this.writer, LINES, this.#lines);
  }
}
