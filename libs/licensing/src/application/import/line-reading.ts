import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/randomness';
import { Editions } from '../../domain/editions.js';
import { editionUnknown } from '../../domain/licensing-errors.js';
import type { ImportLine, LineProblem, ReadLine } from './import-line.js';
import type { LineProblems } from './line-problems.js';
import { ImportStaging } from './ports/import-staging.js';
import { LicenseRecordImport } from './ports/license-record-import.js';

// Small enough that what a batch leaves behind is collected before it grows old.
const BATCH = 250;

/** Reads the file once, a batch at a time, and stages what can be understood of it. */
@Injectable()
export class LineReading {
  constructor(
    private readonly staging: ImportStaging,
    private readonly editions: Editions,
    private readonly records: LicenseRecordImport,
    private readonly randomness: Randomness,
  ) {}

  async stage(
    source: AsyncIterable<ReadLine>,
    problems: LineProblems,
    progress: { read(bytes: number): void },
  ): Promise<void> {
    let batch: ReadLine[] = [];
    let bytes = 0;
    const flush = async () => {
      await this.stageBatch(batch, problems);
      progress.read(bytes);
      batch = [];
      bytes = 0;
    };
    for await (const each of source) {
      batch.push(each);
      bytes += each.bytes;
      if (batch.length === BATCH) await flush();
    }
    await flush();
  }

  private async stageBatch(batch: readonly ReadLine[], problems: LineProblems): Promise<void> {
    const lines = batch.flatMap((each) => ('line' in each ? [each.line] : []));
    for (const each of batch) if ('problems' in each) problems.add(...each.problems);
    for (const line of lines) problems.add(...this.settingProblems(line));
    await this.staging.add(
      lines.map((line) => ({ ...line, id: line.type === 'event' ? null : this.randomness.uuid() })),
    );
    await this.staging.addUnreadable(batch.flatMap((each) => ('problems' in each && each.name ? [each.name] : [])));
  }

  /** What breaks the settings of this installation. */
  private settingProblems(line: ImportLine): LineProblem[] {
    const messages: string[] = [];
    if (line.type === 'contract' && !line.editions.every((edition) => this.editions.has(edition))) {
      messages.push(`editions must be among ${this.editions.names.join(', ')}`);
    }
    if (line.type === 'license' && !this.editions.has(line.edition)) {
      messages.push(editionUnknown(this.editions.names).message);
    }
    if (line.type === 'license' && this.records.elsewhere && !line.upstreamLicenseId && line.state !== 'terminated') {
      messages.push('upstreamLicenseId is required: the license service of this installation keeps its own records');
    }
    return messages.map((message) => ({ line: line.line, message }));
  }
}
