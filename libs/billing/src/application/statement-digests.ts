import { Injectable } from '@nestjs/common';
import { Sha256 } from '#kernel/sha256';
import { EXPORTED_FILES, type ExportedFile } from '../domain/statement-file.js';
import { FiguresStore, type StoredLine } from './ports/figures-store.js';
import type { StatementRecord } from './ports/statement-repository.js';
import { CsvRendering, JsonRendering, type StatementRendering } from './statement-rendering.js';
import { hasParts } from './statement-pages.js';

/**
 * The SHA-256 of each file of a statement, computed from what is stored by the code that writes the files later: kept
 * with the statement, they fix its bytes for ever.
 */
@Injectable()
export class StatementDigests {
  constructor(private readonly store: FiguresStore) {}

  /** Reads the parts once for all files. */
  async of({ statement, figures }: StatementRecord, lines: readonly StoredLine[]): Promise<Map<ExportedFile, Buffer>> {
    const superseded = { ...statement.state, status: 'superseded' } as const;
    const renderings: Record<ExportedFile, StatementRendering> = {
      csv: new CsvRendering(statement.state),
      'json-finalized': JsonRendering.ofStatement(statement.state, figures.totals),
      'json-superseded': JsonRendering.ofStatement(superseded, figures.totals),
    };
    const hashes = EXPORTED_FILES.map((file) => ({ file, rendering: renderings[file], hash: new Sha256() }));
    const write = (piece: (rendering: StatementRendering) => string) => {
      for (const { rendering, hash } of hashes) hash.update(piece(rendering));
    };
    write((rendering) => rendering.open());
    for (const line of lines) {
      write((rendering) => rendering.beginLine(line));
      if (hasParts(line)) {
        for await (const page of this.store.parts(figures.number, line.position)) {
          write((rendering) => rendering.parts(page, line));
        }
      }
      write((rendering) => rendering.endLine(line));
    }
    write((rendering) => rendering.close());
    return new Map(hashes.map(({ file, hash }) => [file, Buffer.from(hash.hex(), 'hex')]));
  }
}
