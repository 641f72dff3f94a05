import { Injectable } from '@nestjs/common';
import { LateFacts } from '#libs/billing';
import { PartnerTree } from '#libs/partners';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { LINE_TYPES, type LineType, type ReadLine } from './import-line.js';
import { AffectedPartners } from './affected-partners.js';
import { LicenseContinuation } from './license-continuation.js';
import { LicenseTakeover } from './license-takeover.js';
import { LineProblems } from './line-problems.js';
import { LineReading } from './line-reading.js';
import { OwnerTakeover } from './owner-takeover.js';
import { ImportStaging, type LineCount } from './ports/import-staging.js';
import { StagedLines } from './ports/staged-lines.js';

export interface ImportReport {
  /** Number of new lines; in a dry run, of lines that would be imported. */
  readonly imported: Readonly<Record<LineType, number>>;
  /** Number of lines that an earlier import contained. */
  readonly skipped: Readonly<Record<LineType, number>>;
}

/** Reports progress: bytes read, then licenses imported. */
export interface ImportProgress {
  read(bytes: number): void;
  startLicenses(total: number): void;
  licensesDone(count: number): void;
}

/**
 * Imports partners, contracts, customers, contacts and licenses with their history from an older system. A file is
 * imported as a whole or not at all: everything happens in one transaction, without network calls.
 */
@Injectable()
export class HistoryImport {
  constructor(
    private readonly staging: ImportStaging,
    private readonly staged: StagedLines,
    private readonly reading: LineReading,
    private readonly owners: OwnerTakeover,
    private readonly licenses: LicenseTakeover,
    private readonly continuation: LicenseContinuation,
    private readonly lateFacts: LateFacts,
    private readonly tree: PartnerTree,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param dryRun checks everything and writes nothing
   * @throws Invalid `import-refused` naming line and field of every problem
   * @throws Conflict `import-running` if another import is running
   */
  run(lines: AsyncIterable<ReadLine>, dryRun: boolean, progress: ImportProgress): Promise<ImportReport> {
    return this.transactions.run(async () => {
      const now = this.clock.now();
      const problems = new LineProblems();
      const affected = new AffectedPartners();
      await this.staging.begin();
      await this.tree.lockTreeForShare();
      await this.reading.stage(lines, problems, progress);
      await this.connect(problems, dryRun);
      const report = reportOf(await this.staging.counts());
      // After the first problem nothing more is written, but the rest is still checked.
      const writing = () => !dryRun && problems.count === 0;
      if (writing()) await this.owners.write(now, affected);
      progress.startLicenses(report.imported.license);
      for await (const histories of this.staged.histories()) {
        problems.add(...this.licenses.problemsOf(histories, now));
        if (writing()) await this.licenses.write(histories, now, affected);
        progress.licensesDone(histories.length);
      }
      for await (const continuations of this.staged.continuations()) {
        for (const each of continuations) {
          problems.add(...(await this.continuation.go(writing(), each, now, affected)));
        }
      }
      problems.refuse();
      for (const { partnerIds, from } of affected.byMonth()) await this.lateFacts.changed(partnerIds, from);
      if (!dryRun) await this.staging.remember(now);
      return report;
    });
  }

  private async connect(problems: LineProblems, dryRun: boolean): Promise<void> {
    for (const sample of await this.staging.identify()) problems.addSample(sample);
    await this.staging.resolve();
    if (!dryRun && problems.count === 0) await this.staging.lockReferences();
    for (const sample of await this.staging.check()) problems.addSample(sample);
  }
}

function reportOf(counts: readonly LineCount[]): ImportReport {
  const byType = (number: (count: LineCount) => number) =>
    Object.fromEntries(
      LINE_TYPES.map((type) => [
        type,
        counts.filter((count) => count.type === type).reduce((sum, c) => sum + number(c), 0),
      ]),
    ) as Record<LineType, number>;
  return { imported: byType(({ fresh }) => fresh), skipped: byType(({ skipped }) => skipped) };
}
