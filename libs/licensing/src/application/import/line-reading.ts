import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import { Editions } from '../../domain/editions.js';
import { editionUnknown } from '../../domain/licensing-errors.js';
import { KeptKeys } from '../ports/kept-keys.js';
import type { ImportLine, LicenseLine, LineProblem, ReadLine } from './import-line.js';
import type { LineProblems } from './line-problems.js';
import { ImportStaging, type StagedLine } from './ports/import-staging.js';
import { LicenseRecordImport } from './ports/license-record-import.js';

// Small, so that the objects of a batch die in the young generation of the heap.
const BATCH = 250;

/** Reads the file once, in batches, and stages every valid line. */
@Injectable()
export class LineReading {
  constructor(
    private readonly staging: ImportStaging,
    private readonly editions: Editions,
    private readonly records: LicenseRecordImport,
    private readonly keys: KeptKeys,
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
    await this.staging.add(lines.map((line) => this.staged(line)));
    await this.staging.addUnreadable(batch.flatMap((each) => ('problems' in each && each.name ? [each.name] : [])));
  }

  private staged(line: ImportLine): StagedLine {
    const id = line.type === 'event' ? null : this.randomness.uuid();
    if (line.type !== 'license' || id === null) return { ...line, id };
    const { key, ...license } = line;
    const sealed = key && this.keys.possible && this.needsRecord(line) ? this.keys.seal(id, key) : undefined;
    return { ...license, id, sealedKey: sealed?.toString('base64') };
  }

  /** Whether a remote license service must still create the record. */
  private needsRecord({ upstreamLicenseId, state }: LicenseLine): boolean {
    return this.records.elsewhere && !upstreamLicenseId && state !== 'terminated';
  }

  /** Checks against the settings of this installation. */
  private settingProblems(line: ImportLine): LineProblem[] {
    const messages: string[] = [];
    if (line.type === 'contract' && !line.editions.every((edition) => this.editions.has(edition))) {
      messages.push(`editions must be among ${this.editions.names.join(', ')}`);
    }
    if (line.type === 'license' && !this.editions.has(line.edition)) {
      messages.push(editionUnknown(this.editions.names).message);
    }
    if (line.type === 'license' && this.needsRecord(line) && !line.key) {
      messages.push("upstreamLicenseId or key is required: this installation's license service keeps the records");
    }
    if (line.type === 'license' && this.needsRecord(line) && line.key && !this.keys.possible) {
      messages.push('key cannot be stored until the license service has it: SECRETS_KEYS is not set');
    }
    return messages.map((message) => ({ line: line.line, message }));
  }
}
