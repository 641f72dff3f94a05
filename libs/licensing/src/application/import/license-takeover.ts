import { Injectable } from '@nestjs/common';
import { BillingDate } from '#kernel/time/calendar-date';
import { Randomness } from '#kernel/crypto/randomness';
import type { AffectedPartners } from './affected-partners.js';
import type { LineProblem } from './import-line.js';
import { importedLicense } from './imported-license.js';
import { historyProblems } from './past-license-checks.js';
import { ImportedLicenses } from './ports/imported-licenses.js';
import { LicenseRecordImport } from './ports/license-record-import.js';
import type { StagedHistory } from './ports/staged-lines.js';

/** Rebuilds the history of licenses and stores it. */
@Injectable()
export class LicenseTakeover {
  constructor(
    private readonly licenses: ImportedLicenses,
    private readonly records: LicenseRecordImport,
    private readonly randomness: Randomness,
  ) {}

  problemsOf(histories: readonly StagedHistory[], now: Date): LineProblem[] {
    const today = BillingDate.of(now);
    return histories.flatMap(({ license, events, transfers }) => historyProblems(license, events, transfers, today));
  }

  async write(histories: readonly StagedHistory[], now: Date, affected: AffectedPartners): Promise<void> {
    for (const { license, transfers } of histories) {
      affected.affect(license.owner.partnerId, BillingDate.of(license.issuedAt));
      for (const { to, effectiveOn } of transfers) affected.affect(to.partnerId, effectiveOn);
    }

    const imported = histories.map(({ license, events, transfers }) => {
      const upstreamLicenseId = license.upstreamLicenseId ?? this.randomness.uuid();
      return importedLicense({ ...license, upstreamLicenseId }, events, transfers, now);
    });
    await this.licenses.insert(imported, this.records.elsewhere ? now : null);
    await this.records.insert(imported);
  }
}
