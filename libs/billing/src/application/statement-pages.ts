import { setImmediate as othersTurn } from 'node:timers/promises';
import { Utf8Chunks } from '#kernel/text/utf8-buffer';
import { chargingOf } from '../domain/contracts/pricing-model.js';
import type { FiguresStore, StoredLine } from './ports/figures-store.js';
import type { StatementRendering } from './statement-rendering.js';

/** Only metered lines have parts. */
export function hasParts({ model }: StoredLine): boolean {
  return chargingOf(model) === 'by-license-day';
}

/** A file of stored figures in UTF-8, in pieces. The process can do other work between the pieces. */
export async function* renderPages(
  store: FiguresStore,
  figures: number,
  lines: readonly StoredLine[],
  rendering: StatementRendering,
): AsyncGenerator<Buffer> {
  const text = new Utf8Chunks();
  text.add(rendering.open());
  for (const line of lines) {
    text.add(rendering.beginLine(line));
    if (hasParts(line)) {
      for await (const page of store.printedParts(figures, line.position)) {
        for (const part of page) text.add(rendering.part(part, line));
        yield* text.take();
        await othersTurn();
      }
    }
    text.add(rendering.endLine(line));
  }
  text.add(rendering.close());
  yield* text.take();
}
