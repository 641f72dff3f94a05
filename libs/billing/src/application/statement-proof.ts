import { Injectable } from '@nestjs/common';
import type { PartnerAccount } from '#libs/partners';
import { Sha256 } from '#kernel/crypto/sha256';
import type { Uuid } from '#kernel/crypto/uuid';
import { StatementJson } from '../domain/statements/statement-json.js';
import { exactLine, exactPart } from '../domain/statements/statement-line.js';
import { FiguresStore, type StoredLine, type StoredPart } from './ports/figures-store.js';
import { LedgerEvidence, type LedgerLink } from './ports/ledger-evidence.js';
import { StatementRepository, type StatementRecord } from './ports/statement-repository.js';
import { hasParts } from './statement-pages.js';
import { StatementQueries } from './statement-queries.js';

/**
 * The proof of a statement, from which anybody can recompute it. Each part has its exact fraction and the ledger events
 * behind its days; each event has its position in the hash chain of its license.
 */
@Injectable()
export class StatementProof {
  constructor(
    private readonly queries: StatementQueries,
    private readonly statements: StatementRepository,
    private readonly store: FiguresStore,
    private readonly ledger: LedgerEvidence,
  ) {}

  /**
   * The JSON document, in pieces.
   * @throws NotFound for a draft and for somebody else's statement
   */
  async of(account: PartnerAccount, id: Uuid): Promise<AsyncGenerator<string>> {
    const record = await this.queries.locked(account, id);
    const superseded = record.statement.state.status === 'superseded';
    const csv = await this.statements.digest(id, 'csv');
    const json = await this.statements.digest(id, superseded ? 'json-superseded' : 'json-finalized');
    const files = { csv: csv?.toString('hex'), json: json?.toString('hex') };
    return this.pieces(record, await this.queries.lines(record), files);
  }

  private async *pieces(record: StatementRecord, lines: readonly StoredLine[], files: object): AsyncGenerator<string> {
    const { state } = record.statement;
    const hash = new Sha256();
    const kept = (piece: string) => {
      hash.update(piece);
      return piece;
    };
    const statement = JSON.parse(new StatementJson().open(state, record.figures.totals) + ']}') as { lines?: unknown };
    delete statement.lines;
    const { days: daysInMonth } = state.period;
    const head = JSON.stringify({ statement, daysInMonth, figuresHash: state.figuresHash, files });
    yield kept(`${head.slice(0, -1)},"lines":[`);
    for (const line of lines) {
      yield kept(`${line.position === 0 ? '' : ','}${lineHead(line, daysInMonth)}`);
      if (hasParts(line)) {
        for await (const parts of this.parts(record.figures.number, line, daysInMonth)) yield kept(parts);
      }
      yield kept(']}');
    }
    yield kept(']');
    // The hash covers everything before it.
    yield `,"sha256":"${hash.hex()}"}`;
  }

  private async *parts(figures: number, line: StoredLine, daysInMonth: number): AsyncGenerator<string> {
    let comma = '';
    for await (const page of this.store.storedParts(figures, line.position)) {
      const chains = await this.ledger.chains(page);
      const parts = page.map((part) => printed(part, line, daysInMonth, chains.get(part.licenseId) ?? []));
      yield comma + parts.join(',');
      comma = ',';
    }
  }
}

function lineHead(line: StoredLine, daysInMonth: number): string {
  const { contractId, model, currency, unitPriceCents, quantity, amountCents, billedDays, pack } = line;
  const { validFrom, validTo } = line;
  const exact = exactLine(line, daysInMonth);
  const terms = { contractId, model, currency, unitPriceCents, validFrom, validTo };
  return `${JSON.stringify({ ...terms, quantity, billedDays, exact, amountCents, ...(pack && { pack }) }).slice(0, -1)},"parts":[`;
}

function printed(part: StoredPart, line: StoredLine, daysInMonth: number, chain: readonly LedgerLink[]): string {
  const { licenseId, days, amountCents, eventIds, keyMasked } = part;
  const exact = exactPart({ ...part, contractId: line.contractId }, line, daysInMonth);
  // An event that affects none of the billed days shows only its link in the chain.
  const ledger = chain.map(({ position, previousHash, hash, entry }) => ({ position, previousHash, hash, ...entry }));
  return JSON.stringify({ licenseId, keyMasked, days, exact, amountCents, eventIds, ledger });
}
