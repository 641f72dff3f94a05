import { Injectable } from '@nestjs/common';
import type { Money } from '#kernel/money/money';
import { Sha256 } from '#kernel/crypto/sha256';
import type { StatementSink } from '../domain/statements/statement-calculator.js';
import { EXPORTED_FILES, type ExportedFile } from '../domain/statements/statement-file.js';
import type { StatementLine, StatementPart } from '../domain/statements/statement-line.js';
import type { StatementState } from '../domain/statements/statement.js';
import { FiguresStore, type StoredLine } from './ports/figures-store.js';
import type { StatementRecord } from './ports/statement-repository.js';
import { hasParts } from './statement-pages.js';
import { CsvRendering, JsonRendering, type StatementRendering } from './statement-rendering.js';

export type Digests = ReadonlyMap<ExportedFile, Buffer>;

/**
 * Computes the SHA-256 of each file of a statement, with the code that later writes the files. The digests are stored
 * with the statement, so its files can never change.
 */
@Injectable()
export class StatementDigests {
  constructor(private readonly store: FiguresStore) {}

  /** From the stored figures; reads the parts once for all files. */
  async of({ statement, figures }: StatementRecord, lines: readonly StoredLine[]): Promise<Digests> {
    const digesting = new DigestingSink(statement.state, figures.totals, lines);
    for (const line of lines) {
      if (hasParts(line)) {
        for await (const page of this.store.printedParts(figures.number, line.position)) {
          for (const part of page) digesting.part({ ...part, contractId: line.contractId });
        }
      }
      digesting.line(line);
    }
    return digesting.finish();
  }
}

/**
 * Digests the files of a statement while its parts are computed, so that the parts need not be read again. Totals and
 * lines must be known in advance; the digests are valid only if the computed figures match them.
 */
export class DigestingSink implements StatementSink {
  readonly #files: ReadonlyMap<ExportedFile, Sha256>;
  readonly #csv: StatementRendering;
  readonly #json: StatementRendering;
  readonly #lines: Iterator<StoredLine, undefined>;
  #line: StoredLine | undefined;

  /** @param state of the statement, already finalized or as it will be */
  constructor(state: StatementState, totals: readonly Money[], lines: readonly StoredLine[]) {
    this.#csv = new CsvRendering(state);
    this.#json = JsonRendering.ofStatement(state, totals);
    this.#lines = lines.values();
    const superseded = JsonRendering.ofStatement({ ...state, status: 'superseded' }, totals);
    const heads: Record<ExportedFile, StatementRendering> = {
      csv: this.#csv,
      'json-finalized': this.#json,
      // The file of the superseded statement differs only in its head.
      'json-superseded': superseded,
    };
    this.#files = new Map(EXPORTED_FILES.map((file) => [file, new Sha256().update(heads[file].open())]));
  }

  part(part: Omit<StatementPart, 'eventIds'>): void {
    const line = this.#reach(part.contractId);
    if (line) this.#write((rendering) => rendering.part(part, line));
  }

  line({ contractId }: StatementLine): void {
    const line = this.#reach(contractId);
    if (line) this.#write((rendering) => rendering.endLine(line));
  }

  /** Call it once. */
  finish(): Digests {
    this.#write((rendering) => rendering.close());
    return new Map([...this.#files].map(([file, hash]) => [file, Buffer.from(hash.hex(), 'hex')]));
  }

  /** The known line of the contract; undefined if there is none, which makes the digests invalid. */
  #reach(contractId: string): StoredLine | undefined {
    if (this.#line?.contractId === contractId) return this.#line;
    const line = this.#lines.next().value;
    if (line?.contractId !== contractId) return undefined;
    this.#line = line;
    this.#write((rendering) => rendering.beginLine(line));
    return line;
  }

  #write(piece: (rendering: StatementRendering) => string): void {
    this.#files.get('csv')?.update(piece(this.#csv));
    const json = piece(this.#json);
    this.#files.get('json-finalized')?.update(json);
    this.#files.get('json-superseded')?.update(json);
  }
}
