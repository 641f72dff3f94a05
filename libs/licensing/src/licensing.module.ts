import { Global, Module } from '@nestjs/common';
import { BillableLicenseSource, BillingModule, LedgerEvidence } from '#libs/billing';
import { CustomersModule, LicenseCensus } from '#libs/customers';
import { PartnersModule } from '#libs/partners';
import { IdempotencyModule } from '#platform/idempotency/idempotency.module';
import { ActivityQueries } from './application/ledger/activity-queries.js';
import { HistoryImport } from './application/import/history-import.js';
import { LicenseContinuation } from './application/import/license-continuation.js';
import { LicenseTakeover } from './application/import/license-takeover.js';
import { LineReading } from './application/import/line-reading.js';
import { OwnerTakeover } from './application/import/owner-takeover.js';
import { ImportedLicenses } from './application/import/ports/imported-licenses.js';
import { ImportStaging } from './application/import/ports/import-staging.js';
import { StagedLines } from './application/import/ports/staged-lines.js';
import { KeyDelivery } from './application/keys/key-delivery.js';
import { KeyHandovers } from './application/keys/key-handovers.js';
import { LedgerVerification } from './application/ledger/ledger-verification.js';
import { InterruptedIssues } from './application/issuing/interrupted-issues.js';
import { LicenseActivation } from './application/issuing/license-activation.js';
import { LicenseAdmission } from './application/issuing/license-admission.js';
import { LicenseChanging } from './application/changes/license-changing.js';
import { LicenseChanges } from './application/changes/license-changes.js';
import { LicenseLock } from './application/changes/license-lock.js';
import { LicenseIssuing } from './application/issuing/license-issuing.js';
import { LicenseQueries, TransferQueries } from './application/license-queries.js';
import { LicenseReconciliation } from './application/upstream/license-reconciliation.js';
import { LicensePlanning } from './application/issuing/license-planning.js';
import { StaffTransfers } from './application/transfers/staff-transfers.js';
import { LicenseTransfers } from './application/transfers/license-transfers.js';
import { KeyedMutex } from './application/changes/keyed-mutex.js';
import { PendingChanges } from './application/changes/pending-changes.js';
import { ContractOccupancy } from './application/ports/contract-occupancy.js';
import { FailPoints, NoFailPoints } from './application/ports/fail-points.js';
import { LedgerReader } from './application/ports/ledger-reader.js';
import { LicenseRepository } from './application/ports/license-repository.js';
import { LicenseWriter } from './application/ports/license-writer.js';
import { ListMarks } from './application/ports/list-marks.js';
import { OpenHandovers } from './application/ports/open-handovers.js';
import { ReservationRepository } from './application/ports/reservation-repository.js';
import { TransferRepository } from './application/ports/transfer-repository.js';
import { UpstreamSyncs } from './application/ports/upstream-syncs.js';
import { TrialExpiry } from './application/changes/trial-expiry.js';
import { UpstreamSync } from './application/upstream/upstream-sync.js';
import { BatchedLicenseQueries } from './infrastructure/sql/batched-license-queries.js';
import { FilteredLicenses } from './infrastructure/sql/filtered-licenses.js';
import { LineReferences } from './infrastructure/import/line-references.js';
import { SqlImportedLicenses } from './infrastructure/import/sql-imported-licenses.js';
import { SqlImportStaging } from './infrastructure/import/sql-import-staging.js';
import { SqlStagedLines } from './infrastructure/import/sql-staged-lines.js';
import { StagedHistories } from './infrastructure/import/staged-histories.js';
import { LicenseList } from './infrastructure/sql/license-list.js';
import { LicensingLists } from './infrastructure/sql/licensing-lists.js';
import { SqlActivityQueries } from './infrastructure/sql/sql-activity-queries.js';
import { SqlBillableLicenseSource } from './infrastructure/sql/sql-billable-license-source.js';
import { SqlContractOccupancy } from './infrastructure/sql/sql-contract-occupancy.js';
import { SqlLedgerEvidence } from './infrastructure/sql/sql-ledger-evidence.js';
import { SqlLedgerReader } from './infrastructure/sql/sql-ledger-reader.js';
import { SqlLicenseCensus } from './infrastructure/sql/sql-license-census.js';
import { GroupCommit } from './infrastructure/writing/group-commit.js';
import { SqlLicenseWriter } from './infrastructure/writing/sql-license-writer.js';
import { SqlLicenseRepository } from './infrastructure/sql-license-repository.js';
import { SqlListMarks } from './infrastructure/sql/sql-list-marks.js';
import { SqlOpenHandovers } from './infrastructure/sql-open-handovers.js';
import { SqlReservationRepository } from './infrastructure/issuing/sql-reservation-repository.js';
import { SqlTransferQueries } from './infrastructure/sql/sql-transfer-queries.js';
import { SqlTransferRepository } from './infrastructure/transfers/sql-transfer-repository.js';
import { SqlUpstreamSyncs } from './infrastructure/sql-upstream-syncs.js';

/** Implements a port of customers. Global, because customers may not import this context. */
@Global()
@Module({ providers: [{ provide: LicenseCensus, useClass: SqlLicenseCensus }], exports: [LicenseCensus] })
class LicenseCensusModule {}

/** Implements ports of billing. Global, because billing may not import this context. */
@Global()
@Module({
  providers: [
    { provide: BillableLicenseSource, useClass: SqlBillableLicenseSource },
    { provide: LedgerEvidence, useClass: SqlLedgerEvidence },
  ],
  exports: [BillableLicenseSource, LedgerEvidence],
})
class BillableFactsModule {}

/** Requires `LicenseServiceModule`, which selects the license service by the settings. */
@Module({
  imports: [
    IdempotencyModule,
    PartnersModule,
    CustomersModule,
    BillingModule,
    LicenseCensusModule,
    BillableFactsModule,
  ],
  providers: [
    LicenseIssuing,
    LicenseChanges,
    LicenseTransfers,
    StaffTransfers,
    LicenseAdmission,
    LicensePlanning,
    InterruptedIssues,
    LicenseChanging,
    LicenseActivation,
    LicenseLock,
    KeyedMutex,
    KeyDelivery,
    KeyHandovers,
    PendingChanges,
    LedgerVerification,
    LicenseReconciliation,
    TrialExpiry,
    UpstreamSync,
    HistoryImport,
    LicenseContinuation,
    LicenseTakeover,
    LineReading,
    OwnerTakeover,
    LineReferences,
    StagedHistories,
    LicenseList,
    FilteredLicenses,
    LicensingLists,
    GroupCommit,
    { provide: ImportStaging, useClass: SqlImportStaging },
    { provide: StagedLines, useClass: SqlStagedLines },
    { provide: ImportedLicenses, useClass: SqlImportedLicenses },
    { provide: FailPoints, useClass: NoFailPoints },
    { provide: LicenseRepository, useClass: SqlLicenseRepository },
    { provide: LicenseWriter, useClass: SqlLicenseWriter },
    { provide: ReservationRepository, useClass: SqlReservationRepository },
    { provide: TransferRepository, useClass: SqlTransferRepository },
    { provide: ContractOccupancy, useClass: SqlContractOccupancy },
    { provide: UpstreamSyncs, useClass: SqlUpstreamSyncs },
    { provide: ListMarks, useClass: SqlListMarks },
    { provide: OpenHandovers, useClass: SqlOpenHandovers },
    { provide: LedgerReader, useClass: SqlLedgerReader },
    { provide: ActivityQueries, useClass: SqlActivityQueries },
    { provide: LicenseQueries, useClass: BatchedLicenseQueries },
    { provide: TransferQueries, useClass: SqlTransferQueries },
  ],
  exports: [
    LicenseIssuing,
    LicenseChanges,
    LicenseTransfers,
    StaffTransfers,
    LicenseQueries,
    TransferQueries,
    ActivityQueries,
    LedgerVerification,
    LicenseReconciliation,
    KeyHandovers,
    TrialExpiry,
    UpstreamSync,
    ListMarks,
    HistoryImport,
  ],
})
export class LicensingModule {}
